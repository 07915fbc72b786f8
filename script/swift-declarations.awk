# Reads what swift-tokens.awk prints, and prints what is declared and used:
#
#     type FILE LINE KIND NAME          a declaration; NAME is qualified (Tree.Kind)
#     extension FILE NAME               an extension
#     property FILE TYPE NAME open|closed   a stored `var`; closed is private, private(set) or fileprivate
#     line FILE TYPE                    a line in the body of TYPE, but of no type nested in it
#     use FILE NAME                     a name with a capital that the file's code speaks, not as a member

BEGIN { FS = OFS = "\t" }

$1 != "code" { next }

$2 != file { file = $2; depth = 0; pending = ""; waiting = "" }

{
    inner = owner()
    rest = $4
    note_uses(rest)
    while (match(rest, /[{};]/)) {
        bracket = substr(rest, RSTART, 1)
        add(substr(rest, 1, RSTART - 1))
        rest = substr(rest, RSTART + 1)
        if (bracket == "{") open_brace()
        else end_statement()
        if (bracket == "}" && depth > 0) depth--
    }
    add(rest)
    if (!goes_on()) end_statement()
    if (owner() != "") inner = owner()
    if (inner != "") print "line", file, inner
}

# The innermost type's qualified name.
function owner(    level) {
    for (level = depth; level > 0; level--) if (type[level] != "") return type[level]
    return ""
}

function add(text) {
    if (text !~ /[^ ]/) return
    # An observed property is stored; with any other body it is computed.
    if (waiting != "") {
        if (text ~ /^ *(didSet|willSet)/) print "property", waiting
        waiting = ""
    }
    pending = pending " " text
}

# A declaration whose body is still to come, or a list that is open.
function goes_on() {
    if (count(pending, "(") > count(pending, ")") || count(pending, "[") > count(pending, "]")) return 1
    return pending !~ /(^|[^A-Za-z0-9_])import / && declaration() != ""
}

function count(text, character,    parts) {
    return split(text, parts, "[" character "]")
}

# The kind and name in `struct Name`, as "struct Name".
function declaration(    found) {
    if (!match(pending, /(^|[^A-Za-z0-9_.`])(class|struct|enum|actor|protocol|extension) +[A-Z][A-Za-z0-9_.]*/)) return ""
    found = substr(pending, RSTART, RLENGTH)
    sub(/^[^a-z]/, "", found)
    sub(/  +/, " ", found)
    return found
}

function open_brace(    found, words, name) {
    found = declaration()
    depth++
    type[depth] = ""
    if (found != "") {
        split(found, words, " ")
        if (words[1] == "extension") {
            name = words[2]
            print "extension", file, name
        } else {
            depth--
            name = (owner() == "" ? "" : owner() ".") words[2]
            depth++
            print "type", file, $3, words[1], name
        }
        type[depth] = name
    } else if (is_variable() && type[depth - 1] != "" && depth > 1) {
        depth--
        if (pending ~ /[^=<>!]=[^=]/) print "property", property()
        else waiting = property()
        depth++
    }
    pending = ""
}

function end_statement() {
    if (depth > 0 && type[depth] != "" && is_variable() && waiting == "") print "property", property()
    pending = ""
}

function is_variable() { return pending ~ /(^|[ )])var +[A-Za-z_`]/ }

function property(    before, name) {
    match(pending, /(^|[ )])var +[A-Za-z_`][A-Za-z0-9_`]*/)
    before = substr(pending, 1, RSTART)
    name = substr(pending, RSTART, RLENGTH)
    sub(/.*var +/, "", name)
    return file OFS type[depth] OFS name OFS (before ~ /(^|[ ])(private|fileprivate)/ ? "closed" : "open")
}

function note_uses(text,    name) {
    while (match(text, /(^|[^A-Za-z0-9_.])[A-Z][A-Za-z0-9_]*/)) {
        name = substr(text, RSTART, RLENGTH)
        sub(/^[^A-Za-z0-9_]/, "", name)
        if (!((file, name) in used)) {
            used[file, name] = 1
            print "use", file, name
        }
        text = substr(text, RSTART + RLENGTH)
    }
}
