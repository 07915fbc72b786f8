# Reads what swift-tokens.awk prints, and prints what each file declares and uses:
#
#     type FILE LINE KIND NAME          a declaration; NAME is qualified (Tree.Kind)
#     use FILE NAME                     a capitalized name that the file's code uses, except as a member

BEGIN { FS = OFS = "\t" }

$1 != "code" { next }

$2 != file { file = $2; depth = 0; pending = "" }

{
    rest = $4
    note_uses(rest)
    while (match(rest, /[{};]/)) {
        bracket = substr(rest, RSTART, 1)
        pending = pending " " substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + 1)
        if (bracket == "{") open_brace()
        else pending = ""
        if (bracket == "}" && depth > 0) depth--
    }
    pending = pending " " rest
    if (!continues()) pending = ""
}

# The qualified name of the innermost type.
function owner(    level) {
    for (level = depth; level > 0; level--) if (type[level] != "") return type[level]
    return ""
}

# Returns 1 if a declaration's body or the end of a list is on a later line.
function continues() {
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
    name = ""
    if (found != "") {
        split(found, words, " ")
        name = words[2]
        if (words[1] != "extension") {
            if (owner() != "") name = owner() "." name
            print "type", file, $3, words[1], name
        }
    }
    type[++depth] = name
    pending = ""
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
