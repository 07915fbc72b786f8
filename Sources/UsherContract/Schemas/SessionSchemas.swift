/// The schemas of the clients' requests and responses, as one JSON text with their names.
///
/// The schemas are text because people who change the protocol read them. No contract can be written if the text is not
/// JSON. Request objects reject unknown members; response objects may get new ones.
///
/// Code generators have further needs, which the document's tests check. Each object is a component with a name. Each
/// `const` and `enum` has a `type`. No optional member is declared nullable, although the server accepts null. An
/// object that extends another is the second part of an `allOf`.
enum SessionSchemas {
    static let all = ##"""
        {
        "Link":{"description":"a deep link: flows from the root down","type":"array","minItems":1,
         "items":{"$ref":"#/components/schemas/Case"}},
        "Case":{"description":"a case of an enum, as Swift codes it: its name, or an object with its payload",
         "anyOf":[{"type":"string"},{"$ref":"#/components/schemas/CaseWithPayload"}]},
        "CaseWithPayload":
        {"description":"the name of a case, with its payload","type":"object","minProperties":1,"maxProperties":1},
        "NoPayload":{"description":"the payload of a case that has none","type":"object","additionalProperties":false},
        "JSONObject":{"description":"any object","type":"object"},
        "Client":
        {"description":"what a client says of itself; without screens it draws everything","type":"object","properties":{
          "name":{"type":"string","pattern":"^[ -~]{1,64}$"},
          "version":{"type":"string","pattern":"^[ -~]{1,64}$"},
          "screens":{"$ref":"#/components/schemas/ScreenVersions"},
          "locale":{"description":"a language tag (BCP 47)","type":"string","maxLength":64,"examples":["ko-KR"]},
          "timeZone":{"description":"a name of IANA's database","type":"string","examples":["Asia/Seoul"]}},
         "additionalProperties":false},
        "ScreenVersions":
        {"description":"the newest version of each screen that a client can draw; * for all others","type":"object",
         "maxProperties":512,"propertyNames":{"minLength":1,"maxLength":128},
         "additionalProperties":{"type":"integer","minimum":1,"maximum":9223372036854775807}},
        "ReducedState":
        {"description":"a state in the profile changes: a screen with its id alone is as it was at the revision since",
         "type":"object","properties":{
          "session":{"type":"string","pattern":"^[0-9a-f]{32}$"},
          "app":{"type":"string"},
          "revision":{"type":"integer","minimum":1},
          "since":{"type":"integer","minimum":1},
          "stack":{"type":"array","items":{"$ref":"#/components/schemas/ReducedScreen"}}},
         "required":["session","app","revision","stack"]},
        "ReducedScreen":{"type":"object","properties":{
          "id":{"$ref":"#/components/schemas/ScreenID"},"screen":{"type":"string"},"coordinator":{"type":"string"},
          "shown":{"$ref":"#/components/schemas/Shown"},"state":{},
          "events":{"type":"array","items":{"type":"string"}}},"required":["id"]},
        "Input":{"description":"what the user did",
         "oneOf":[{"$ref":"#/components/schemas/EventInput"},{"$ref":"#/components/schemas/BackInput"},
          {"$ref":"#/components/schemas/PoppedInput"},{"$ref":"#/components/schemas/DismissedInput"},
          {"$ref":"#/components/schemas/SelectInput"},{"$ref":"#/components/schemas/LinkInput"}],
         "examples":[{"event":"close"},{"screen":4,"event":{"login":{"name":"kim"}}},{"screen":4,"back":true}]},
        "EventInput":{"description":"an event of a screen, of the visible one where none is named","type":"object",
         "properties":{"event":{"$ref":"#/components/schemas/Case"},"screen":{"$ref":"#/components/schemas/ScreenID"}},
         "required":["event"],"additionalProperties":false},
        "BackInput":
        {"description":"the user asks to go back from a screen, from the visible one where none is named","type":"object",
         "properties":{"back":{"type":"boolean","enum":[true]},"screen":{"$ref":"#/components/schemas/ScreenID"}},
         "required":["back"],"additionalProperties":false},
        "PoppedInput":{"description":"the user has popped a screen: a fact","type":"object",
         "properties":{"popped":{"$ref":"#/components/schemas/ScreenID"}},
         "required":["popped"],"additionalProperties":false},
        "DismissedInput":
        {"description":"the user has closed the modal that began with a screen: a fact","type":"object",
         "properties":{"dismissed":{"$ref":"#/components/schemas/ScreenID"}},
         "required":["dismissed"],"additionalProperties":false},
        "SelectInput":{"description":"the user tapped a tab","type":"object","properties":{"select":{"type":"string"}},
         "required":["select"],"additionalProperties":false},
        "LinkInput":{"description":"the user followed a deep link","type":"object",
         "properties":{"open":{"$ref":"#/components/schemas/Link"}},"required":["open"],"additionalProperties":false},
        "ScreenID":{"description":"unique in its session, and never used again","type":"integer","minimum":1,
         "maximum":9223372036854775807},
        "Opened":{"description":"a state, with the session's token unless a cookie has it, or its id alone opens it",
         "allOf":[{"$ref":"#/components/schemas/State"},
          {"type":"object","properties":{"token":{"$ref":"#/components/schemas/SessionToken"}}}]},
        "ReducedOpened":
        {"description":"the same in the profile changes","allOf":[{"$ref":"#/components/schemas/ReducedState"},
          {"type":"object","properties":{"token":{"$ref":"#/components/schemas/SessionToken"}}}]},
        "SessionToken":{"description":"shown once: the server keeps a hash","type":"string","pattern":"^[0-9a-f]{64}$"},
        "Token":
        {"type":"object","properties":{"token":{"$ref":"#/components/schemas/SessionToken"}},"required":["token"]},
        "TokenRequest":
        {"type":"object","properties":{"cookie":{"$ref":"#/components/schemas/Cookie"}},"additionalProperties":false},
        "Cookie":{"description":"whether a cookie is to have the session's token","type":"boolean"},
        "Subject":{"description":"the user for whom a backend opens it","type":"string","minLength":1,"maxLength":255,
         "pattern":"\##(ContractParameter.noControls)"},
        "SubjectSessions":{"type":"object","properties":{
          "sessions":{"type":"array","items":{"$ref":"#/components/schemas/SubjectSession"}},
          "after":{"description":"the page's last session, where there are more","type":"string"}},
         "required":["sessions"]},
        "SubjectSession":{"type":"object","properties":{
          "session":{"type":"string","pattern":"^[0-9a-f]{32}$"},"app":{"type":"string"},
          "created":{"type":"string","format":"date-time"},"changed":{"type":"string","format":"date-time"},
          "revision":{"type":"integer"}},"required":["session"]},
        "EndedSessions":{"type":"object","properties":{"ended":{"type":"integer","minimum":0}},"required":["ended"]},
        "Message":
        {"type":"object","properties":{"message":{"description":"what the root coordinator's Message decodes"}},
         "required":["message"],"additionalProperties":false},
        "Shown":{"type":"string",
         "enum":["root","push","sheet","formSheet","popover","fullScreen","overFullScreen","alert","actionSheet"]},
        "Screen":{"type":"object","properties":{
          "id":{"$ref":"#/components/schemas/ScreenID"},
          "screen":{"description":"its name","type":"string"},
          "version":{"description":"where it is not 1","type":"integer","minimum":2},
          "coordinator":{"description":"the path of names from the root","type":"string"},
          "shown":{"$ref":"#/components/schemas/Shown"},
          "state":{"description":"the screen's own state"},
          "events":{"$ref":"#/components/schemas/EventExamples"}},
         "required":["id","screen","coordinator","shown","state"]},
        "EventExamples":
        {"description":"of the visible screen: each event with an example of its payload","type":"object"},
        "Tabs":
        {"type":"object","properties":{"selected":{"type":"string"},"names":{"type":"array","items":{"type":"string"}}},
         "required":["selected","names"]},
        "BackRefusal":{"description":"why a screen does not let the user go back","type":"object",
         "properties":{"refused":{"type":"string"}},"required":["refused"]},
        "Ending":{"description":"how the session has ended","type":"object",
         "properties":{"reason":{"type":"string","enum":["finished","cancelled"]},"result":{}},"required":["reason"]},
        "State":{"description":"a session's state","type":"object","properties":{
          "session":{"type":"string","pattern":"^[0-9a-f]{32}$"},
          "app":{"type":"string"},
          "revision":{"type":"integer","minimum":1},
          "stack":{"description":"the screens on display, bottom to top","type":"array",
           "items":{"$ref":"#/components/schemas/Screen"}},
          "tabs":{"$ref":"#/components/schemas/Tabs"},
          "back":{"description":"whether back would do anything",
           "anyOf":[{"type":"boolean"},{"$ref":"#/components/schemas/BackRefusal"}]},
          "changes":{"type":"array","items":{"$ref":"#/components/schemas/Change"}},
          "pending":{"description":"the effects that are under way","type":"array","items":{"type":"string"}},
          "resumed":{"$ref":"#/components/schemas/Resumed"},
          "warnings":{"type":"array","items":{"type":"string"}},
          "leaks":{"type":"array","items":{"$ref":"#/components/schemas/Leak"}},
          "ended":{"$ref":"#/components/schemas/Ending"}},
         "required":["session","app","revision","stack","back","changes","pending"]},
        "Resumed":
        {"description":"a new build or the operator has undone inputs; there up to the answer to a client's next input","type":"object",
         "properties":{
          "revision":{"description":"the last that counts; 0 if the session began anew","type":"integer","minimum":0},
          "reason":{"type":"string"},"dropped":{"$ref":"#/components/schemas/Dropped"}},
         "required":["revision","reason","dropped"]},
        "Dropped":{"description":"the undone part","type":"object","properties":{
          "inputs":{"description":"the number of the user's inputs","type":"integer","minimum":0},
          "messages":{"description":"the number of a backend's messages","type":"integer","minimum":0},
          "results":{"description":"effects that had ended","type":"array","items":{"type":"string"}},
          "effects":{"description":"effects that were under way","type":"array","items":{"type":"string"}},
          "timers":{"description":"the owner of each timer that was running","type":"array","items":{"type":"string"}}},
         "required":["inputs","messages","results","effects","timers"]},
        "Change":{"description":"what a revision changed on display",
         "oneOf":[{"$ref":"#/components/schemas/PopChange"},{"$ref":"#/components/schemas/RemoveChange"},
          {"$ref":"#/components/schemas/DismissChange"},{"$ref":"#/components/schemas/PushChange"},
          {"$ref":"#/components/schemas/PresentChange"},{"$ref":"#/components/schemas/UpdateChange"},
          {"$ref":"#/components/schemas/ReplaceChange"},{"$ref":"#/components/schemas/SelectChange"}]},
        "PopChange":{"type":"object","properties":{"pop":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["pop"]},
        "RemoveChange":
        {"type":"object","properties":{"remove":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["remove"]},
        "DismissChange":
        {"type":"object","properties":{"dismiss":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["dismiss"]},
        "PushChange":
        {"type":"object","properties":{"push":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["push"]},
        "PresentChange":
        {"type":"object","properties":{"present":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["present"]},
        "UpdateChange":
        {"type":"object","properties":{"update":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["update"]},
        "ReplaceChange":
        {"type":"object","properties":{"replace":{"$ref":"#/components/schemas/Replacement"}},"required":["replace"]},
        "Replacement":{"type":"object","properties":{"out":{"$ref":"#/components/schemas/ScreenIDs"},
          "in":{"$ref":"#/components/schemas/ScreenIDs"}},"required":["out","in"]},
        "SelectChange":{"type":"object","properties":{"select":{"type":"string"}},"required":["select"]},
        "ScreenIDs":{"type":"array","items":{"$ref":"#/components/schemas/ScreenID"}},
        "Leak":{"type":"object","properties":{"type":{"type":"string"},"coordinator":{"type":"string"},
          "revision":{"type":"integer"},"input":{"type":"string"},"holder":{"type":"string"}},
         "required":["type","coordinator","revision","input"]},
        "Problem":
        {"description":"a problem (RFC 9457); the members behind detail are there where the kind of problem has them",
         "type":"object","properties":{
          "type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},
          "code":{"description":"a refusal's word for programs","type":"string"},
          "screen":{"description":"that the client cannot draw","type":"string"},
          "version":{"description":"of that screen","type":"integer"},
          "current":{"$ref":"#/components/schemas/State"},
          "held":{"$ref":"#/components/schemas/HoldReason"},
          "revision":{"description":"at which a replay ends the process","type":"integer"},
          "reason":{"$ref":"#/components/schemas/EndReason"},
          "result":{"description":"of a session that finished"},
          "endedAt":{"type":"string","format":"date-time"},
          "app":{"type":"string"},"options":{"$ref":"#/components/schemas/JSONObject"},
          "start":{"$ref":"#/components/schemas/Start"}},
         "required":["type","title","status","detail"]},
        "HoldReason":{"description":"why this build must not serve a session","type":"string",
         "enum":["replay-crashes","app-missing","options-invalid","record-damaged","start-fails","loses-facts"]},
        "EndReason":
        {"description":"why a session is over","type":"string","enum":["finished","cancelled","deleted","expired"]},
        "Start":{"description":"the request that opens another session like it","type":"object","properties":{
          "method":{"type":"string"},"path":{"type":"string"},"body":{"$ref":"#/components/schemas/JSONObject"}},
         "required":["method","path","body"]},
        "StreamEvent":{"description":"an event of a stream; the data of each is one line of JSON",
         "oneOf":[{"$ref":"#/components/schemas/StateEvent"},{"$ref":"#/components/schemas/GapEvent"},
          {"$ref":"#/components/schemas/EndEvent"},{"$ref":"#/components/schemas/HeldEvent"},
          {"$ref":"#/components/schemas/RefusedEvent"}]},
        "StateEvent":
        {"description":"a revision; in the profile changes the data is a ReducedState","type":"object","properties":{
          "id":{"description":"the entity tag without its quotes","type":"string"},
          "event":{"type":"string","enum":["state"]},"data":{"$ref":"#/components/schemas/State"}},
         "required":["id","event","data"]},
        "GapEvent":{"description":"revisions were left out, and the newest state follows","type":"object","properties":{
          "event":{"type":"string","enum":["gap"]},"data":{"$ref":"#/components/schemas/JSONObject"}},
         "required":["event","data"]},
        "EndEvent":{"description":"the session is over, and nothing follows","type":"object","properties":{
          "event":{"type":"string","enum":["end"]},"data":{"$ref":"#/components/schemas/Remains"}},
         "required":["event","data"]},
        "HeldEvent":
        {"description":"this build must not serve the session, and nothing follows","type":"object","properties":{
          "event":{"type":"string","enum":["held"]},"data":{"$ref":"#/components/schemas/Problem"}},
         "required":["event","data"]},
        "Remains":{"description":"what is told of a session that is over, as in a 410","type":"object","properties":{
          "reason":{"$ref":"#/components/schemas/EndReason"},"result":{},
          "endedAt":{"type":"string","format":"date-time"},"app":{"type":"string"},
          "options":{"$ref":"#/components/schemas/JSONObject"},"start":{"$ref":"#/components/schemas/Start"}}},
        "RefusedEvent":
        {"description":"an input was refused; in streams of the operator only","type":"object","properties":{
          "event":{"type":"string","enum":["refused"]},"data":{"$ref":"#/components/schemas/RefusedInput"}},
         "required":["event","data"]},
        "RefusedInput":{"type":"object","properties":{"number":{"type":"integer"},"revision":{"type":"integer"},
          "time":{"type":"string","format":"date-time"},"status":{"type":"integer"},"detail":{"type":"string"},
          "input":{"description":"with secrets masked"}},"required":["number","time","status","detail"]}
        }
        """##

    /// The schema of the body that opens a session of any app.
    static let opening = ##"""
        {"type":"object","properties":{"app":{"type":"string"},
          "options":{"$ref":"#/components/schemas/JSONObject"},
          "open":{"$ref":"#/components/schemas/Link"},
          "client":{"$ref":"#/components/schemas/Client"},
          "cookie":{"$ref":"#/components/schemas/Cookie"},"subject":{"$ref":"#/components/schemas/Subject"}},
         "required":["app"],"additionalProperties":false}
        """##
}
