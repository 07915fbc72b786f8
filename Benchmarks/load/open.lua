-- Opens sessions over one connection, one after the other, leads each to where its walk begins, and writes their
-- paths to a file, one a line.
--
--     SESSIONS=1000 SESSIONS_FILE=… wrk -t 1 -c 1 -d 60s -s open.lua http://127.0.0.1:PORT
--
-- Ends wrk when all are open: a thread that stops would leave it asleep until the end of its time.

package.path = os.getenv("BENCHMARKS") .. "/load/?.lua;" .. package.path
local walk = require("walk")

local wanted = tonumber(os.getenv("SESSIONS"))
local file
local opened = 0
local path -- Of the session that has been opened and not entered yet.

function init(arguments)
  file = assert(io.open(os.getenv("SESSIONS_FILE"), "w"))
end

-- Changes nothing: wrk calls it once more than it sends.
function request()
  return path and walk.request(path, walk.entrance) or walk.opening()
end

function response(status, headers, body)
  if status ~= (path and 200 or 201) then
    io.stderr:write("open.lua: answered with ", status, ": ", body, "\n")
    os.exit(1)
  end
  if not path then
    path = headers["Location"]
    return
  end
  file:write(path, "\n")
  path = nil
  opened = opened + 1
  if opened < wanted then return end
  file:close()
  os.exit(0)
end
