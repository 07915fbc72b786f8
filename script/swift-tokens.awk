# Prints Swift sources line by line, with code and comments separated:
#
#     code <tab> FILE <tab> LINE <tab> the line's code, each string literal as ""
#     comment <tab> FILE <tab> LINE <tab> the text behind // or ///, or within /* */
#
# The code of an interpolation follows its string, between spaces.

BEGIN { OFS = "\t" }

FNR == 1 { depth = 0; mode[0] = "code"; blocks = 0 }

{
    rest = $0
    code = ""
    comment = ""
    commented = 0
    while (rest != "") {
        if (blocks > 0) read_block()
        else if (mode[depth] == "code") read_code()
        else read_string()
    }
    # Only a literal in three quotes can continue in the next line.
    while (depth > 0 && mode[depth] == "string" && !multiline[depth]) depth--
    print "code", FILENAME, FNR, code
    if (commented) print "comment", FILENAME, FNR, comment
}

function read_block() {
    commented = 1
    if (!match(rest, /\*\/|\/\*/)) {
        comment = comment rest
        rest = ""
        return
    }
    comment = comment substr(rest, 1, RSTART - 1)
    blocks += substr(rest, RSTART, 2) == "/*" ? 1 : -1
    rest = substr(rest, RSTART + 2)
}

function read_code(    token) {
    if (!match(rest, /\/\/+|\/\*|#*"""|#*"|[()]/)) {
        code = code rest
        rest = ""
        return
    }
    token = substr(rest, RSTART, RLENGTH)
    code = code substr(rest, 1, RSTART - 1)
    rest = substr(rest, RSTART + RLENGTH)
    if (token ~ /^\/\//) {
        comment = rest
        sub(/^ /, "", comment)
        commented = 1
        rest = ""
    } else if (token == "/*") {
        blocks = 1
    } else if (token == "(") {
        parentheses[depth]++
        code = code token
    } else if (token == ")") {
        if (depth > 0 && parentheses[depth] == 0) {
            depth--
            code = code " "
        } else {
            parentheses[depth]--
            code = code token
        }
    } else {
        depth++
        mode[depth] = "string"
        multiline[depth] = token ~ /"""$/
        marks[depth] = substr(token, 1, index(token, "\"") - 1)
        code = code "\"\""
    }
}

function read_string(    quote, escape, end, start) {
    quote = (multiline[depth] ? "\"\"\"" : "\"") marks[depth]
    escape = "\\" marks[depth]
    end = index(rest, quote)
    start = index(rest, escape)
    if (start > 0 && (end == 0 || start < end)) {
        rest = substr(rest, start + length(escape))
        if (substr(rest, 1, 1) == "(") {
            depth++
            mode[depth] = "code"
            parentheses[depth] = 0
            code = code " "
        }
        rest = substr(rest, 2)
    } else if (end > 0) {
        rest = substr(rest, end + length(quote))
        depth--
    } else {
        rest = ""
    }
}
