// list a value of each event
import Usher

struct RatingScreen: Screen {
    enum Event: Codable { case rate(stars: Int) }
}
