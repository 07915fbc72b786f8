import Usher
import UsherBytes
import UsherJSON
import UsherSessions

/// A script that repeats a session on a server with curl.
struct CurlScript {
    /// The script, without the last line feed.
    let text: String

    /// Creates the script of a session, with only the short form of its id, because the full id may grant access.
    init(_ exported: ExportedSession, of session: SessionID) {
        self.init(exported, named: "the session \(session)")
    }

    /// Creates the script of inputs that belong to no session, with a description in the first line.
    init(_ exported: ExportedSession, named name: String) {
        var lines = [Self.head(exported, name), Self.functions, ""]
        if exported.hasSecrets { lines.append(Self.secretNote) }
        lines += ["send /sessions \(Self.quoted(Self.opening(exported)))", Self.identification, ""]
        for step in exported.steps { lines += Self.lines(step) }
        text = (lines + [#"printf '%s\n' "$answer""#]).joined(separator: "\n")
    }

    private static func head(_ exported: ExportedSession, _ name: String) -> String {
        """
        #!/usr/bin/env bash
        # Repeats \(name.escapingControls()), on a server with the app "\(exported.app.name.escapingControls())":
        #     bash SCRIPT [http://127.0.0.1:8080]
        # The clock and the random numbers are that server's. Prints the state at the end.
        set -euo pipefail
        SERVER=${1:-http://127.0.0.1:8080}

        """
    }

    private static func lines(_ step: ExportedSession.Step) -> [String] {
        switch step.kind {
        case .action: request("$session/events", step)
        case .message: request("$session/messages", step)
        // Effects and timers need no line: the server runs both itself, and an event's response waits for effects.
        case .result: [comment("an effect ended", step)]
        case .timer: [comment("a timer fired", step)]
        case .refused: [comment("the result of an effect or a timer was refused", step)]
        case .resumption: [comment("a new build resumed the session", step)]
        }
    }

    private static func request(_ path: String, _ step: ExportedSession.Step) -> [String] {
        (step.hasSecrets ? [secretNote] : []) + ["send \"\(path)\" \(quoted(step.body))"]
    }

    private static func comment(_ text: String, _ step: ExportedSession.Step) -> String {
        "# here \(text): \(JSONText.oneLine(step.body))"
    }

    private static let functions = #"""
        fail() {
            printf '%s\n' "$*" >&2
            exit 1
        }

        # Sends a body to a path, and stores the response's body. A message is sent with the backend's key or the operator's
        # token, an opening with the backend's key if it is set, and an event with the session's token.
        send() {
            local token=()
            case $1 in
            */messages) token=(--header "Authorization: Bearer ${USHER_BACKEND_KEY:-${USHER_ADMIN_TOKEN:?is not set}}") ;;
            /sessions) [[ -z ${USHER_BACKEND_KEY-} ]] || token=(--header "Authorization: Bearer $USHER_BACKEND_KEY") ;;
            /sessions/*) [[ -z ${session_token-} ]] || token=(--header "Authorization: Bearer $session_token") ;;
            esac
            answer=$(curl --silent --show-error --max-time 30 --write-out '\n%{http_code}' ${token[@]+"${token[@]}"} \
                --header 'Content-Type: application/json' --data-raw "$2" "$SERVER$1") || fail "no answer to $1 $2"
            local status=${answer##*$'\n'}
            answer=${answer%$'\n'*}
            [[ $status == 2?? ]] || fail "status $status to $1 $2: $answer"
        }
        """#

    private static let identification = #"""
        [[ $answer =~ \"session\":\"([0-9a-f]{32})\" ]] || fail "the answer names no session: $answer"
        session=/sessions/${BASH_REMATCH[1]}
        [[ ! $answer =~ \"token\":\"([0-9a-f]{64})\" ]] || session_token=${BASH_REMATCH[1]}
        """#

    private static let secretNote = "# A secret is masked in the next line: replace \"…\" with a secret."

    /// Returns the body of `POST /sessions`.
    private static func opening(_ exported: ExportedSession) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("app", exported.app.name)
            writer.member("options", raw: exported.options)
            if !exported.link.isEmpty { writer.array("open", of: exported.link) { $0.raw($1) } }
            guard exported.client != Client() else { return }
            writer.key("client")
            exported.client.write(into: &writer)
        }
    }

    /// Returns JSON as one word of the shell: in single quotes, so that only single quotes in the JSON must be escaped.
    private static func quoted(_ json: [UInt8]) -> String {
        let parts = JSONText.oneLine(json).split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: #"'\''"#))'"
    }
}
