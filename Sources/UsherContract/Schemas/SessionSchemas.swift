/// The schemas of what clients send and get, as JSON, by their names.
///
/// They are texts, for that is how whoever changes the protocol reads them; the document refuses one that is no JSON.
/// Objects that are sent are closed, for unknown members are refused; those that are answered may grow.
enum SessionSchemas {
    static let all: KeyValuePairs<String, String> = [
        "Link": ##"""
        {"description":"a deep link: flows from the root down","type":"array","minItems":1,
         "items":{"$ref":"#/components/schemas/Case"}}
        """##,
        "Case": ##"""
        {"description":"a case of an enum, as Swift codes it: its name, or an object with its payload",
         "anyOf":[{"type":"string"},{"type":"object","minProperties":1,"maxProperties":1}]}
        """##,
        "Client": ##"""
        {"description":"what a client says of itself; without screens it draws everything","type":"object","properties":{
          "name":{"anyOf":[{"type":"string","pattern":"^[ -~]{1,64}$"},{"type":"null"}]},
          "version":{"anyOf":[{"type":"string","pattern":"^[ -~]{1,64}$"},{"type":"null"}]},
          "screens":{"description":"the newest version of each screen that it can draw; * for all others",
           "anyOf":[{"type":"object","maxProperties":512,"propertyNames":{"minLength":1,"maxLength":128},
             "additionalProperties":{"type":"integer","minimum":1,"maximum":9223372036854775807}},{"type":"null"}]},
          "locale":{"description":"a language tag (BCP 47)",
           "anyOf":[{"type":"string","maxLength":64,"examples":["ko-KR"]},{"type":"null"}]},
          "timeZone":{"description":"a name of IANA's database",
           "anyOf":[{"type":"string","examples":["Asia/Seoul"]},{"type":"null"}]}},
         "additionalProperties":false}
        """##,
        "ReducedState": ##"""
        {"description":"a state in the profile changes: a screen with its id alone is as it was at the revision since",
         "type":"object","properties":{
          "session":{"type":"string","pattern":"^[0-9a-f]{32}$"},
          "app":{"type":"string"},
          "revision":{"type":"integer","minimum":1},
          "since":{"type":"integer","minimum":1},
          "stack":{"type":"array","items":{"type":"object","properties":{
            "id":{"$ref":"#/components/schemas/ScreenID"},"screen":{"type":"string"},"coordinator":{"type":"string"},
            "shown":{"$ref":"#/components/schemas/Shown"},"state":{},
            "events":{"type":"array","items":{"type":"string"}}},"required":["id"]}}},
         "required":["session","app","revision","stack"]}
        """##,
        "Input": ##"""
        {"oneOf":[
         {"title":"an event of a screen, of the visible one where none is named","type":"object",
          "properties":{"event":{"$ref":"#/components/schemas/Case"},
           "screen":{"anyOf":[{"$ref":"#/components/schemas/ScreenID"},{"type":"null"}]}},
          "required":["event"],"additionalProperties":false},
         {"title":"the user asks to go back","type":"object",
          "properties":{"back":{"const":true},"screen":{"type":"null"}},
          "required":["back"],"additionalProperties":false},
         {"title":"the user has popped a screen: a fact","type":"object",
          "properties":{"popped":{"$ref":"#/components/schemas/ScreenID"},"screen":{"type":"null"}},
          "required":["popped"],"additionalProperties":false},
         {"title":"the user has closed the modal that began with a screen: a fact","type":"object",
          "properties":{"dismissed":{"$ref":"#/components/schemas/ScreenID"},"screen":{"type":"null"}},
          "required":["dismissed"],"additionalProperties":false},
         {"title":"the user tapped a tab","type":"object",
          "properties":{"select":{"type":"string"},"screen":{"type":"null"}},
          "required":["select"],"additionalProperties":false},
         {"title":"a deep link","type":"object",
          "properties":{"open":{"$ref":"#/components/schemas/Link"},"screen":{"type":"null"}},
          "required":["open"],"additionalProperties":false}],
         "examples":[{"event":"close"},{"screen":4,"event":{"login":{"name":"kim"}}},{"back":true}]}
        """##,
        "ScreenID": ##"""
        {"description":"unique in its session, and never used again","type":"integer","minimum":1,
         "maximum":9223372036854775807}
        """##,
        "Opened": ##"""
        {"description":"a state, with the session's token unless a cookie has it, or its id alone opens it",
         "allOf":[{"$ref":"#/components/schemas/State"}],
         "properties":{"token":{"$ref":"#/components/schemas/SessionToken"}}}
        """##,
        "ReducedOpened": ##"""
        {"description":"the same in the profile changes","allOf":[{"$ref":"#/components/schemas/ReducedState"}],
         "properties":{"token":{"$ref":"#/components/schemas/SessionToken"}}}
        """##,
        "SessionToken": ##"""
        {"description":"shown once: the server keeps a hash","type":"string","pattern":"^[0-9a-f]{64}$"}
        """##,
        "Token": ##"""
        {"type":"object","properties":{"token":{"$ref":"#/components/schemas/SessionToken"}},"required":["token"]}
        """##,
        "TokenRequest": ##"""
        {"type":"object","properties":{"cookie":{"$ref":"#/components/schemas/Cookie"}},"additionalProperties":false}
        """##,
        "Cookie": ##"""
        {"description":"whether a cookie is to have the session's token","anyOf":[{"type":"boolean"},{"type":"null"}]}
        """##,
        "Subject": ##"""
        {"description":"the user for whom a backend opens it",
         "anyOf":[{"type":"string","minLength":1,"maxLength":255,"pattern":"^[^\\u0000-\\u001F\\u007F]+$"},{"type":"null"}]}
        """##,
        "SubjectSessions": ##"""
        {"type":"object","properties":{
          "sessions":{"type":"array","items":{"type":"object","properties":{
            "session":{"type":"string","pattern":"^[0-9a-f]{32}$"},"app":{"type":"string"},
            "created":{"type":"string","format":"date-time"},"changed":{"type":"string","format":"date-time"},
            "revision":{"type":"integer"}},"required":["session"]}},
          "after":{"description":"the page's last session, where there are more","type":"string"}},
         "required":["sessions"]}
        """##,
        "EndedSessions": ##"""
        {"type":"object","properties":{"ended":{"type":"integer","minimum":0}},"required":["ended"]}
        """##,
        "Message": ##"""
        {"type":"object","properties":{"message":{"description":"what the root coordinator's Message decodes"}},
         "required":["message"],"additionalProperties":false}
        """##,
        "Shown": ##"""
        {"enum":["root","push","sheet","formSheet","popover","fullScreen","overFullScreen","alert","actionSheet"]}
        """##,
        "Screen": ##"""
        {"type":"object","properties":{
          "id":{"$ref":"#/components/schemas/ScreenID"},
          "screen":{"description":"its name","type":"string"},
          "version":{"description":"where it is not 1","type":"integer","minimum":2},
          "coordinator":{"description":"the path of names from the root","type":"string"},
          "shown":{"$ref":"#/components/schemas/Shown"},
          "state":{"description":"the screen's own state"},
          "events":{"description":"of the visible screen: each event with an example of its payload","type":"object"}},
         "required":["id","screen","coordinator","shown","state"]}
        """##,
        "Change": ##"""
        {"oneOf":[
         {"type":"object","properties":{"pop":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["pop"]},
         {"type":"object","properties":{"remove":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["remove"]},
         {"type":"object","properties":{"dismiss":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["dismiss"]},
         {"type":"object","properties":{"push":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["push"]},
         {"type":"object","properties":{"present":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["present"]},
         {"type":"object","properties":{"update":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["update"]},
         {"type":"object","properties":{"replace":{"type":"object","properties":{
            "out":{"$ref":"#/components/schemas/ScreenIDs"},"in":{"$ref":"#/components/schemas/ScreenIDs"}},
           "required":["out","in"]}},"required":["replace"]},
         {"type":"object","properties":{"select":{"type":"string"}},"required":["select"]}]}
        """##,
        "ScreenIDs": ##"""
        {"type":"array","items":{"$ref":"#/components/schemas/ScreenID"}}
        """##,
        "Leak": ##"""
        {"type":"object","properties":{"type":{"type":"string"},"coordinator":{"type":"string"},
          "revision":{"type":"integer"},"input":{"type":"string"},"holder":{"type":"string"}},
         "required":["type","coordinator","revision","input"]}
        """##,
        "Problem": ##"""
        {"description":"a problem (RFC 9457); the members behind detail are there where the kind of problem has them",
         "type":"object","properties":{
          "type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},
          "code":{"description":"a refusal's word for programs","type":"string"},
          "screen":{"description":"that the client cannot draw","type":"string"},
          "version":{"description":"of that screen","type":"integer"},
          "current":{"$ref":"#/components/schemas/State"},
          "revision":{"description":"at which a replay ends the process","type":"integer"},
          "reason":{"description":"of a session's end","enum":["finished","cancelled","deleted","expired"]},
          "result":{"description":"of a session that finished"},
          "endedAt":{"type":"string","format":"date-time"},
          "app":{"type":"string"},"options":{"type":"object"},
          "start":{"description":"the request that opens another session like it","type":"object","properties":{
            "method":{"type":"string"},"path":{"type":"string"},"body":{"type":"object"}},
           "required":["method","path","body"]}},
         "required":["type","title","status","detail"]}
        """##,
    ]

    /// The schema of a state, to which each app adds what it knows of its screens.
    static let state = ##"""
        {"type":"object","properties":{
          "session":{"type":"string","pattern":"^[0-9a-f]{32}$"},
          "app":{"type":"string"},
          "revision":{"type":"integer","minimum":1},
          "stack":{"description":"the screens on display, bottom to top","type":"array",
           "items":{"$ref":"#/components/schemas/Screen"}},
          "tabs":{"type":"object","properties":{"selected":{"type":"string"},
            "names":{"type":"array","items":{"type":"string"}}},"required":["selected","names"]},
          "back":{"description":"whether back would do anything","anyOf":[{"type":"boolean"},
            {"type":"object","properties":{"refused":{"type":"string"}},"required":["refused"]}]},
          "changes":{"type":"array","items":{"$ref":"#/components/schemas/Change"}},
          "pending":{"description":"the effects that are under way","type":"array","items":{"type":"string"}},
          "warnings":{"type":"array","items":{"type":"string"}},
          "leaks":{"type":"array","items":{"$ref":"#/components/schemas/Leak"}},
          "ended":{"type":"object","properties":{"reason":{"type":"string"},"result":{}},"required":["reason"]}},
         "required":["session","app","revision","stack","back","changes","pending"]}
        """##

    /// The body that opens a session of any app.
    static let opening = ##"""
        {"type":"object","properties":{"app":{"type":"string"},
          "options":{"anyOf":[{"type":"object"},{"type":"null"}]},
          "open":{"anyOf":[{"$ref":"#/components/schemas/Link"},{"type":"null"}]},
          "client":{"anyOf":[{"$ref":"#/components/schemas/Client"},{"type":"null"}]},
          "cookie":{"$ref":"#/components/schemas/Cookie"},"subject":{"$ref":"#/components/schemas/Subject"}},
         "required":["app"],"additionalProperties":false}
        """##
}
