-- Sends events to sessions in turn: the next step of the walk to each of them, then again from the first one on.
--
--     SESSIONS_FILE=… [REQUESTS=n] wrk -t 1 -c 64 -d 5s -s events.lua http://127.0.0.1:PORT
--
-- One thread, for the order of the steps. The last line of its output is
-- `measured requests=… microseconds=… errors=… p50=… p99=…`.
--
-- With REQUESTS, over one connection, it ends wrk after exactly so many, and after the first error.

package.path = os.getenv("BENCHMARKS") .. "/load/?.lua;" .. package.path
local walk = require("walk")

local limit = tonumber(os.getenv("REQUESTS"))
local requests = {}
local sent = -1 -- wrk asks for one request before the first that it sends.
local received = 0

function init(arguments)
  local paths = {}
  for path in io.lines(os.getenv("SESSIONS_FILE")) do paths[#paths + 1] = path end
  for _, body in ipairs(walk.steps) do
    for _, path in ipairs(paths) do requests[#requests + 1] = walk.request(path, body) end
  end
end

function request()
  local next = math.max(sent, 0) % #requests + 1
  sent = sent + 1
  return requests[next]
end

-- Only where a count is asked for: with it wrk keeps every answer, which costs it time.
if limit then
  function response(status, headers, body)
    received = received + 1
    if status ~= 200 then io.stderr:write("events.lua: answered with ", status, ": ", body, "\n") end
    if status ~= 200 or received == limit then os.exit(status == 200 and 0 or 1) end
  end
end

function done(summary, latency, times)
  local errors = summary.errors
  print(string.format(
    "measured requests=%d microseconds=%d errors=%d p50=%d p99=%d", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
