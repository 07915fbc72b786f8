/// The schemas of what the operator sends and gets, as JSON, by their names.
enum InspectionSchemas {
    static let all: KeyValuePairs<String, String> = [
        "Revision": ##"""
        {"type":"object","properties":{"revision":{"type":"integer","minimum":-9223372036854775808,
           "maximum":9223372036854775807}},"required":["revision"],"additionalProperties":false}
        """##,
        "Login": ##"""
        {"type":"object","properties":{"token":{"type":"string","format":"password"}},"required":["token"],
         "additionalProperties":false}
        """##,
        "Caller": ##"""
        {"type":"object","properties":{"caller":{"type":"string","enum":["anyone","operator"]},
          "by":{"type":"string","enum":["token","login","listener"]}},"required":["caller"]}
        """##,
        "Apps": ##"""
        {"type":"object","properties":{"apps":{"type":"array","items":{"$ref":"#/components/schemas/AppListing"}}},
         "required":["apps"]}
        """##,
        "AppListing": ##"""
        {"type":"object","properties":{"app":{"type":"string"},"version":{"type":"string"},"options":{},
          "clientOptions":{"description":"those that a client may set itself, where these are not all","type":"array",
           "items":{"type":"string"}},
          "flows":{"$ref":"#/components/schemas/FlowExamples"},"screens":{"$ref":"#/components/schemas/ScreenExamples"},
          "versions":{"$ref":"#/components/schemas/LaterVersions"}},
         "required":["app","version","options","flows","screens"]}
        """##,
        "FlowExamples": ##"""
        {"description":"of each coordinator, each flow with an example of its payload","type":"object"}
        """##,
        "ScreenExamples": ##"""
        {"description":"of each screen, each event with an example of its payload","type":"object"}
        """##,
        "LaterVersions": ##"""
        {"description":"of the screens beyond version 1","type":"object","additionalProperties":{"type":"integer"}}
        """##,
        "CoordinatorCounts": ##"""
        {"type":"object","properties":{"live":{"type":"integer"},"created":{"type":"integer"},
          "finished":{"type":"integer"},"leaked":{"type":"integer"}},
         "required":["live","created","finished","leaked"]}
        """##,
        "SessionList": ##"""
        {"type":"object","properties":{
          "sessions":{"type":"array","items":{"$ref":"#/components/schemas/ListedSession"}},
          "next":{"type":"string"},
          "total":{"$ref":"#/components/schemas/SessionTotal"},
          "live":{"type":"integer"},"awake":{"type":"integer"},
          "coordinators":{"$ref":"#/components/schemas/CoordinatorCounts"},
          "onlyHere":{"description":"the members of a session that are told of the server that answers",
           "type":"array","items":{"type":"string"}}},
         "required":["sessions","total","live","awake","coordinators","onlyHere"]}
        """##,
        "ListedSession": ##"""
        {"type":"object","properties":{
          "session":{"type":"string"},"held":{"$ref":"#/components/schemas/HoldReason"},
          "cause":{"description":"of the hold","type":"string"},"app":{"type":"string"},
          "created":{"type":"string","format":"date-time"},"changed":{"type":"string","format":"date-time"},
          "used":{"type":"string","format":"date-time"},"revision":{"type":"integer"},
          "recorded":{"description":"bytes","type":"integer"},"leaked":{"type":"integer"},
          "subject":{"type":"string"},"hibernated":{"type":"boolean"},"busy":{"type":"boolean","enum":[true]},
          "visible":{"type":"string"},"screens":{"type":"integer"},
          "coordinators":{"type":"integer"},"bytes":{"type":"integer"}},
         "required":["session"]}
        """##,
        "SessionTotal": ##"""
        {"type":"object","properties":{"count":{"type":"integer"},"of":{"type":"string","enum":["all","matching"]}},
         "required":["count","of"]}
        """##,
        "ScreenName": ##"""
        {"type":"object","properties":{"id":{"$ref":"#/components/schemas/ScreenID"},"screen":{"type":"string"}},
         "required":["id","screen"]}
        """##,
        "Node": ##"""
        {"type":"object","properties":{"id":{"type":"integer"},"type":{"type":"string"},"name":{"type":"string"},
          "screens":{"type":"array","items":{"$ref":"#/components/schemas/ScreenName"}},
          "work":{"type":"array","items":{"$ref":"#/components/schemas/NodeWork"}},
          "children":{"type":"array","items":{"$ref":"#/components/schemas/Node"}}},
         "required":["id","type","name","screens","work","children"]}
        """##,
        "NodeWork": ##"""
        {"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"}},"required":["id","name"]}
        """##,
        "OwnCoordinator": ##"""
        {"type":"object","properties":{"type":{"type":"string"},
          "screens":{"type":"array","items":{"$ref":"#/components/schemas/ScreenName"}},
          "zombie":{"type":"boolean","enum":[true]},
          "guessed":{"description":"the coordinator seems to be a zombie, but may show a screen that refers to no coordinator",
            "type":"boolean","enum":[true]},
          "children":{"type":"array","items":{"$ref":"#/components/schemas/OwnCoordinator"}}},
         "required":["type","screens","children"]}
        """##,
        "OwnCoordinators": ##"""
        {"description":"the coordinators that the app keeps beside the engine's","type":"object","properties":{
          "roots":{"type":"array","items":{"$ref":"#/components/schemas/OwnCoordinator"}},
          "zombies":{"type":"array","items":{"$ref":"#/components/schemas/Retained"}},
          "leaks":{"type":"array","items":{"$ref":"#/components/schemas/Retained"}}},
         "required":["roots","zombies","leaks"]}
        """##,
        "Retained": ##"""
        {"type":"object","properties":{"type":{"type":"string"},"holder":{"type":"string"}},
         "required":["type","holder"]}
        """##,
        "Tree": ##"""
        {"type":"object","properties":{
          "coordinators":{"$ref":"#/components/schemas/CoordinatorCounts"},
          "bytes":{"type":"integer"},
          "root":{"$ref":"#/components/schemas/Node"},
          "own":{"$ref":"#/components/schemas/OwnCoordinators"},
          "stacks":{"type":"array","items":{"$ref":"#/components/schemas/ScreenStack"}},
          "leaks":{"type":"array","items":{"$ref":"#/components/schemas/Leak"}}},
         "required":["coordinators","bytes","stacks","leaks"]}
        """##,
        "ScreenStack": ##"""
        {"type":"object","properties":{
          "shown":{"$ref":"#/components/schemas/Shown"},"tab":{"type":"string"},"displayed":{"type":"boolean"},
          "screens":{"type":"array","items":{"$ref":"#/components/schemas/ScreenName"}}},
         "required":["shown","displayed","screens"]}
        """##,
        "JournalPage": ##"""
        {"type":"object","properties":{"entries":{"type":"array","items":{"$ref":"#/components/schemas/JournalEntry"}},
          "next":{"type":"string"}},"required":["entries"]}
        """##,
        "JournalEntry": ##"""
        {"type":"object","properties":{
          "revision":{"type":"integer"},"time":{"type":"string","format":"date-time"},
          "kind":{"$ref":"#/components/schemas/EntryKind"},
          "input":{},"visible":{"type":"string"},"digest":{"$ref":"#/components/schemas/Digest"},
          "bytes":{"type":"integer"}},
         "required":["revision","time","kind","input","visible","digest","bytes"]}
        """##,
        "EntryKind": ##"""
        {"type":"string","enum":["creation","input","inputKeepingLink","inputDroppingLink","divergence"]}
        """##,
        "MemoryHistory": ##"""
        {"type":"object","properties":{"points":{"type":"array","items":{"$ref":"#/components/schemas/MemoryPoint"}}},
         "required":["points"]}
        """##,
        "MemoryPoint": ##"""
        {"type":"object","properties":{
          "revision":{"type":"integer"},"live":{"type":"integer"},"created":{"type":"integer"},
          "finished":{"type":"integer"},"leaked":{"type":"integer"},"bytes":{"type":"integer"}},
         "required":["revision","live","created","finished","leaked","bytes"]}
        """##,
        "Walk": ##"""
        {"type":"object","properties":{"app":{"type":"string"},
          "points":{"type":"array","items":{"$ref":"#/components/schemas/WalkPoint"}}},"required":["app","points"]}
        """##,
        "WalkPoint": ##"""
        {"type":"object","properties":{
          "revision":{"type":"integer"},"input":{"type":"string"},"digest":{"$ref":"#/components/schemas/Digest"}},
         "required":["revision","input"]}
        """##,
        "Export": ##"""
        {"type":"object","properties":{"usher":{"type":"string","const":"session 1"},"app":{"type":"string"},
          "build":{"type":"string"},
          "entries":{"type":"array","minItems":1,"items":{"$ref":"#/components/schemas/ExportedEntry"}}},
         "required":["usher","app","build","entries"]}
        """##,
        "ExportedEntry": ##"""
        {"type":"object","properties":{
          "kind":{"$ref":"#/components/schemas/EntryKind"},
          "revision":{"type":"integer"},"time":{"type":"integer"},
          "before":{"type":"array","items":{"type":"integer"}},"after":{"type":"array","items":{"type":"integer"}},
          "digest":{"type":"string"},"visible":{"type":"string"},"payload":{"type":"string"},
          "secrets":{"type":"array","items":{"type":"integer"}}},
         "required":["kind","revision","time","before","after","digest","visible","payload"]}
        """##,
        "Digest": ##"""
        {"type":"string","pattern":"^[0-9a-f]{16}$"}
        """##,
        "Map": ##"""
        {"type":"object","properties":{"app":{"type":"string"},
          "options":{"description":"JSON","type":"string"},"complete":{"type":"boolean"},
          "bound":{"type":"string","enum":["states","depth","time"]},"offered":{"type":"integer"},
          "tried":{"type":"integer"},
          "states":{"type":"array","items":{"$ref":"#/components/schemas/MapState"}},
          "inputs":{"type":"array","items":{"$ref":"#/components/schemas/MapInput"}},
          "findings":{"type":"array","items":{"$ref":"#/components/schemas/MapFinding"}}},
         "required":["app","options","complete","offered","tried","states","inputs","findings"]}
        """##,
        "MapState": ##"""
        {"type":"object","properties":{
          "screen":{"type":"string"},"digest":{"$ref":"#/components/schemas/Digest"},
          "stacks":{"type":"string"},"depth":{"type":"integer"},"untried":{"type":"integer"}},
         "required":["screen","digest","stacks","depth","untried"]}
        """##,
        "MapInput": ##"""
        {"type":"object","properties":{
          "from":{"type":"integer"},"to":{"type":"integer"},
          "kind":{"type":"string",
           "enum":["event","back","popped","dismissed","select","success","failure","timer","link","message"]},
          "label":{"type":"string"},"input":{"$ref":"#/components/schemas/JSONObject"},
          "outcome":{"type":"string",
           "enum":["accepted","unchanged","refused","unknown","limit","failed","differs","unopened","crashed"]}},
         "required":["from","kind","label","input","outcome"]}
        """##,
        "MapFinding": ##"""
        {"type":"object","properties":{
          "kind":{"type":"string"},"text":{"type":"string"},"wrong":{"type":"boolean"},
          "way":{"type":"array","items":{"type":"string"}},
          "export":{"$ref":"#/components/schemas/Export"},"next":{"$ref":"#/components/schemas/JSONObject"}},
         "required":["kind","text","wrong"]}
        """##,
        "Incidents": ##"""
        {"type":"object","properties":{"incidents":{"type":"array","items":{"$ref":"#/components/schemas/Incident"}}},
         "required":["incidents"]}
        """##,
        "Incident": ##"""
        {"type":"object","properties":{
          "time":{"type":"string","format":"date-time"},
          "session":{"type":"string"},"app":{"type":"string"},"screen":{"type":"string"},
          "event":{"type":"string"},"revision":{"type":"integer"},"crash":{"type":"string"},
          "refused":{"type":"boolean"},"build":{"type":"string"}},
         "required":["time","app","event","revision","crash","refused","build"]}
        """##,
        "Backup": ##"""
        {"type":"object","properties":{"path":{"type":"string"},"bytes":{"type":"integer"}},
         "required":["path","bytes"]}
        """##,
        "Nodes": ##"""
        {"type":"object","properties":{"nodes":{"type":"array","items":{"$ref":"#/components/schemas/ServerNode"}}},
         "required":["nodes"]}
        """##,
        "ServerNode": ##"""
        {"type":"object","properties":{
          "name":{"type":"string"},"build":{"type":"string"},"since":{"type":"string","format":"date-time"},
          "until":{"type":"string","format":"date-time"}},"required":["name","build","since","until"]}
        """##,
    ]
}
