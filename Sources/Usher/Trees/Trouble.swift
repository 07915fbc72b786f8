/// Why an input cannot happen: apart from the tree, for hardly any input has it.
final class Trouble {
    /// What failed first.
    var failure: Rejection?
    /// How an input that failed only because of a link is to be handled instead.
    var retry: LinkHandling?
}
