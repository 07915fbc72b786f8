/// The schemas of the clients' requests and responses, as one JSON text with their names.
///
/// The schemas are text because people who change the protocol read them. No contract can be written if the text is not
/// JSON. Request objects reject unknown members; response objects may get new members.
///
/// Code generators have further needs, which the document's tests check. Each object is a component with a name. Each
/// `const` and `enum` has a `type`. No optional member is declared nullable, although the server accepts null. An
/// object that extends another is the second part of an `allOf`.
enum SessionSchemas {
    static let all = ##"""
        {
        "Link":{"description":"a deep link: flows from the root down","type":"array","minItems":1,
         "items":{"$ref":"#/components/schemas/Case"}},
        "Case":{"description":"an enum case as Swift encodes it: its name, or an object with its payload",
         "anyOf":[{"type":"string"},{"$ref":"#/components/schemas/CaseWithPayload"}]},
        "CaseWithPayload":
        {"description":"the name of a case, with its payload","type":"object","minProperties":1,"maxProperties":1},
        "NoPayload":{"description":"the empty payload of a case without values","type":"object","additionalProperties":false},
        "JSONObject":{"description":"any object","type":"object"},
        "Client":
        {"description":"describes the client; without the member `screens`, the client can draw all screens",
         "type":"object","properties":{
          "name":{"type":"string","pattern":"^[ -~]{1,64}$"},
          "version":{"type":"string","pattern":"^[ -~]{1,64}$"},
          "screens":{"$ref":"#/components/schemas/ScreenVersions"},
          "locale":{"description":"a language tag (BCP 47)","type":"string","maxLength":64,"examples":["ko-KR"]},
          "timeZone":{"description":"an IANA time zone name","type":"string","examples":["Asia/Seoul"]}},
         "additionalProperties":false},
        "ScreenVersions":
        {"description":"the newest version of each screen that the client can draw; `*` stands for all other screens",
          "type":"object",
         "maxProperties":512,"propertyNames":{"minLength":1,"maxLength":128},
         "additionalProperties":{"type":"integer","minimum":1,"maximum":9223372036854775807}},
        "ReducedState":
        {"description":"a state in the profile `changes`: a screen with only an id is unchanged since the revision `since`",
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
        "EventInput":{"description":"an event of the named screen, or of the visible screen if none is named","type":"object",
         "properties":{"event":{"$ref":"#/components/schemas/Case"},"screen":{"$ref":"#/components/schemas/ScreenID"}},
         "required":["event"],"additionalProperties":false},
        "BackInput":
        {"description":"the user asks to go back from the named screen, or from the visible screen if none is named",
          "type":"object",
         "properties":{"back":{"type":"boolean","enum":[true]},"screen":{"$ref":"#/components/schemas/ScreenID"}},
         "required":["back"],"additionalProperties":false},
        "PoppedInput":{"description":"the user has already popped a screen","type":"object",
         "properties":{"popped":{"$ref":"#/components/schemas/ScreenID"}},
         "required":["popped"],"additionalProperties":false},
        "DismissedInput":
        {"description":"the user has already closed the modal whose first screen is named","type":"object",
         "properties":{"dismissed":{"$ref":"#/components/schemas/ScreenID"}},
         "required":["dismissed"],"additionalProperties":false},
        "SelectInput":{"description":"the user tapped a tab","type":"object","properties":{"select":{"type":"string"}},
         "required":["select"],"additionalProperties":false},
        "LinkInput":{"description":"the user followed a deep link","type":"object",
         "properties":{"open":{"$ref":"#/components/schemas/Link"}},"required":["open"],"additionalProperties":false},
        "ScreenID":{"description":"unique in the session and never reused","type":"integer","minimum":1,
         "maximum":9223372036854775807},
        "Opened":{"description":"a state, and the session's token, unless a cookie has the token or the session needs none",
         "allOf":[{"$ref":"#/components/schemas/State"},
          {"type":"object","properties":{"token":{"$ref":"#/components/schemas/SessionToken"}}}]},
        "ReducedOpened":
        {"description":"`Opened` in the profile `changes`","allOf":[{"$ref":"#/components/schemas/ReducedState"},
          {"type":"object","properties":{"token":{"$ref":"#/components/schemas/SessionToken"}}}]},
        "SessionToken":{"description":"sent only once: the server stores only its hash","type":"string","pattern":"^[0-9a-f]{64}$"},
        "Token":
        {"type":"object","properties":{"token":{"$ref":"#/components/schemas/SessionToken"}},"required":["token"]},
        "TokenRequest":
        {"type":"object","properties":{"cookie":{"$ref":"#/components/schemas/Cookie"}},"additionalProperties":false},
        "Cookie":{"description":"whether to send the token in a cookie instead of the body","type":"boolean"},
        "Subject":{"description":"the user for whom a backend opens the session","type":"string","minLength":1,"maxLength":255,
         "pattern":"\##(ContractParameter.noControls)"},
        "SubjectSessions":{"type":"object","properties":{
          "sessions":{"type":"array","items":{"$ref":"#/components/schemas/SubjectSession"}},
          "after":{"description":"the page's last session; absent on the last page","type":"string"}},
         "required":["sessions"]},
        "SubjectSession":{"type":"object","properties":{
          "session":{"type":"string","pattern":"^[0-9a-f]{32}$"},"app":{"type":"string"},
          "created":{"type":"string","format":"date-time"},"changed":{"type":"string","format":"date-time"},
          "revision":{"type":"integer"}},"required":["session"]},
        "EndedSessions":{"type":"object","properties":{"ended":{"type":"integer","minimum":0}},"required":["ended"]},
        "Message":
        {"type":"object","properties":{"message":{"description":"the message, which the root coordinator decodes as its type Message"}},
         "required":["message"],"additionalProperties":false},
        "Shown":{"type":"string",
         "enum":["root","push","sheet","formSheet","popover","fullScreen","overFullScreen","alert","actionSheet"]},
        "Screen":{"type":"object","properties":{
          "id":{"$ref":"#/components/schemas/ScreenID"},
          "screen":{"description":"the screen's name","type":"string"},
          "version":{"description":"the screen's version, if it is not 1","type":"integer","minimum":2},
          "coordinator":{"description":"the path of names from the root coordinator","type":"string"},
          "shown":{"$ref":"#/components/schemas/Shown"},
          "state":{"description":"the screen's own state"},
          "events":{"$ref":"#/components/schemas/EventExamples"}},
         "required":["id","screen","coordinator","shown","state"]},
        "EventExamples":
        {"description":"the visible screen's events, with an example of each payload","type":"object"},
        "Tabs":
        {"type":"object","properties":{"selected":{"type":"string"},"names":{"type":"array","items":{"type":"string"}}},
         "required":["selected","names"]},
        "BackRefusal":{"description":"why the screen does not allow the user to go back","type":"object",
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
          "back":{"description":"whether the user can go back",
           "anyOf":[{"type":"boolean"},{"$ref":"#/components/schemas/BackRefusal"}]},
          "changes":{"type":"array","items":{"$ref":"#/components/schemas/Change"}},
          "pending":{"description":"the running effects","type":"array","items":{"type":"string"}},
          "resumed":{"$ref":"#/components/schemas/Resumed"},
          "warnings":{"type":"array","items":{"type":"string"}},
          "leaks":{"type":"array","items":{"$ref":"#/components/schemas/Leak"}},
          "ended":{"$ref":"#/components/schemas/Ending"}},
         "required":["session","app","revision","stack","back","changes","pending"]},
        "Resumed":
        {"description":"why a new build or the operator undid inputs; last sent with the answer to a client's next input",
          "type":"object",
         "properties":{
          "revision":{"description":"the last revision that counts; 0 if the session started again","type":"integer","minimum":0},
          "reason":{"type":"string"},"dropped":{"$ref":"#/components/schemas/Dropped"}},
         "required":["revision","reason","dropped"]},
        "Dropped":{"description":"what was undone","type":"object","properties":{
          "inputs":{"description":"the number of the user's inputs","type":"integer","minimum":0},
          "messages":{"description":"the number of a backend's messages","type":"integer","minimum":0},
          "results":{"description":"the names of effects that had ended","type":"array","items":{"type":"string"}},
          "effects":{"description":"the names of effects that were running","type":"array","items":{"type":"string"}},
          "timers":{"description":"the owner of each timer that was running","type":"array","items":{"type":"string"}}},
         "required":["inputs","messages","results","effects","timers"]},
        "Change":{"description":"a change that a revision made to the screens",
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
        {"description":"a problem (RFC 9457); the value of `type` decides which members follow `detail`",
         "type":"object","properties":{
          "type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},
          "code":{"description":"the app's identifier of the reason, for programs","type":"string"},
          "screen":{"description":"the screen that the client cannot draw","type":"string"},
          "version":{"description":"the version of that screen","type":"integer"},
          "current":{"$ref":"#/components/schemas/State"},
          "held":{"$ref":"#/components/schemas/HoldReason"},
          "revision":{"description":"the revision whose replay ends the process","type":"integer"},
          "reason":{"$ref":"#/components/schemas/EndReason"},
          "result":{"description":"the result of a session that finished"},
          "endedAt":{"type":"string","format":"date-time"},
          "app":{"type":"string"},"options":{"$ref":"#/components/schemas/JSONObject"},
          "start":{"$ref":"#/components/schemas/Start"}},
         "required":["type","title","status","detail"]},
        "HoldReason":{"description":"why this build must not serve a session","type":"string",
         "enum":["replay-crashes","app-missing","options-invalid","record-damaged","start-fails","loses-facts"]},
        "EndReason":
        {"description":"why the session has ended","type":"string","enum":["finished","cancelled","deleted","expired"]},
        "Start":{"description":"the request that opens a similar session","type":"object","properties":{
          "method":{"type":"string"},"path":{"type":"string"},"body":{"$ref":"#/components/schemas/JSONObject"}},
         "required":["method","path","body"]},
        "StreamEvent":{"description":"an event of a stream; its `data` is one line of JSON",
         "oneOf":[{"$ref":"#/components/schemas/StateEvent"},{"$ref":"#/components/schemas/GapEvent"},
          {"$ref":"#/components/schemas/EndEvent"},{"$ref":"#/components/schemas/HeldEvent"},
          {"$ref":"#/components/schemas/RefusedEvent"}]},
        "StateEvent":
        {"description":"a revision; in the profile `changes`, the data is a ReducedState","type":"object","properties":{
          "id":{"description":"the entity tag, without quotes","type":"string"},
          "event":{"type":"string","enum":["state"]},"data":{"$ref":"#/components/schemas/State"}},
         "required":["id","event","data"]},
        "GapEvent":{"description":"the stream skipped revisions; the newest state follows","type":"object","properties":{
          "event":{"type":"string","enum":["gap"]},"data":{"$ref":"#/components/schemas/JSONObject"}},
         "required":["event","data"]},
        "EndEvent":{"description":"the session has ended, and nothing follows","type":"object","properties":{
          "event":{"type":"string","enum":["end"]},"data":{"$ref":"#/components/schemas/Remains"}},
         "required":["event","data"]},
        "HeldEvent":
        {"description":"this build must not serve the session, and nothing follows","type":"object","properties":{
          "event":{"type":"string","enum":["held"]},"data":{"$ref":"#/components/schemas/Problem"}},
         "required":["event","data"]},
        "Remains":{"description":"describes a session that has ended, as in a 410","type":"object","properties":{
          "reason":{"$ref":"#/components/schemas/EndReason"},"result":{},
          "endedAt":{"type":"string","format":"date-time"},"app":{"type":"string"},
          "options":{"$ref":"#/components/schemas/JSONObject"},"start":{"$ref":"#/components/schemas/Start"}}},
        "RefusedEvent":
        {"description":"an input was refused; only the operator's streams have this event","type":"object","properties":{
          "event":{"type":"string","enum":["refused"]},"data":{"$ref":"#/components/schemas/RefusedInput"}},
         "required":["event","data"]},
        "RefusedInput":{"type":"object","properties":{"number":{"type":"integer"},"revision":{"type":"integer"},
          "time":{"type":"string","format":"date-time"},"status":{"type":"integer"},"detail":{"type":"string"},
          "input":{"description":"the input, with secrets masked"}},"required":["number","time","status","detail"]}
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
