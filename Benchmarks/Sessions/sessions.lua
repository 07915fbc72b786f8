-- Opens, walks and ends sessions over one connection, one after the other.
--
--     SESSIONS=1000 wrk -t 1 -c 1 -d 120s -s sessions.lua http://127.0.0.1:PORT
--
-- Ends wrk when all are over: a thread that stops would leave it asleep until the end of its time. Time that ran out
-- shows in wrk's own report, which it prints only then.

package.path = os.getenv("BENCHMARKS") .. "/load/?.lua;" .. package.path
local walk = require("walk")

local wanted = tonumber(os.getenv("SESSIONS"))
local events = { walk.entrance, walk.steps[1], walk.steps[2], walk.steps[1], walk.steps[2] }
local ended = 0
local path -- Of the session that is open.
local walked -- How many of its events were answered.

-- Changes nothing: wrk calls it once more than it sends.
function request()
  if not path then return walk.opening() end
  if walked < #events then return walk.request(path, events[walked + 1]) end
  return wrk.format("DELETE", path)
end

local function expect(wanted, status, body)
  if status == wanted then return end
  io.stderr:write("sessions.lua: answered with ", status, ": ", body, "\n")
  os.exit(1)
end

function response(status, headers, body)
  if not path then
    expect(201, status, body)
    path, walked = headers["Location"], 0
  elseif walked < #events then
    expect(200, status, body)
    walked = walked + 1
  else
    expect(204, status, body)
    path = nil
    ended = ended + 1
    if ended >= wanted then os.exit(0) end
  end
end
