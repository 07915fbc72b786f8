-- The walk that a session repeats for ever, as requests.
--
-- Each step starts a coordinator that pushes a screen, or finishes it so that its screen leaves: what usher is for.

local walk = {}

local json = { ["Content-Type"] = "application/json" }

-- Every event has this many bytes, about what one with a screen's id and a small payload has.
local length = 89

local function event(name)
  local text = '{"event":"' .. name .. '"}'
  return "{" .. string.rep(" ", length - #text) .. text:sub(2)
end

-- Leads from the first screen to the one where the walk begins.
walk.entrance = event("startApp")

walk.steps = { event("profileEdit"), event("login") }

function walk.opening()
  return wrk.format("POST", "/sessions", json, '{"app":"start-login-main","options":{"loggedIn":true}}')
end

function walk.request(path, body)
  return wrk.format("POST", path .. "/events", json, body)
end

return walk
