-- Opens sessions over one connection, one after the other, walks each through 20 inputs, its creation included, and
-- writes their paths to a file, one a line.
--
--     SESSIONS=1000 SESSIONS_FILE=… wrk -t 1 -c 1 -d 120s -s walked.lua http://127.0.0.1:PORT
--
-- Ends wrk when all are there: a thread that stops would leave it asleep until the end of its time.

package.path = os.getenv("BENCHMARKS") .. "/load/?.lua;" .. package.path
local walk = require("walk")

local wanted = tonumber(os.getenv("SESSIONS"))
local inputs = 20
local file
local walked = 0
local done = 0 -- Sessions.
local path -- Of the session that is walked.

function init(arguments)
  file = assert(io.open(os.getenv("SESSIONS_FILE"), "w"))
end

-- Changes nothing: wrk calls it once more than it sends.
function request()
  if not path then return walk.opening() end
  if walked == 1 then return walk.request(path, walk.entrance) end
  return walk.request(path, walk.steps[walked % 2 + 1])
end

function response(status, headers, body)
  if status ~= (path and 200 or 201) then
    io.stderr:write("walked.lua: answered with ", status, ": ", body, "\n")
    os.exit(1)
  end
  path = path or headers["Location"]
  walked = walked + 1
  if walked < inputs then return end
  file:write(path, "\n")
  path, walked = nil, 0
  done = done + 1
  if done < wanted then return end
  file:close()
  os.exit(0)
end
