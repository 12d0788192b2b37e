-- The requests of wrk, and its figures as one line of JSON.
--
-- wrk -s wrk.lua URL -- KIND ARGUMENT ...
--   get PATH [ENTITY-TAG]   the same request each time
--   pipeline PATH N         N requests at a time
--   pages PATH COUNT        a page of 50 rows at a random offset of a list of COUNT rows
--   move PATH COUNT         move-row between random indices of a list of COUNT rows
--   insert PATH [ID ...]    a new item, in one inventory after another
--   patch PATH              an item's value, another each time

local json = {["Content-Type"] = "application/json"}
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

local kinds = {}

function kinds.get(path, tag)
  local text = wrk.format("GET", path, tag and {["If-None-Match"] = tag} or {})
  return function() return text end
end

function kinds.pipeline(path, count)
  local text = string.rep(wrk.format("GET", path), tonumber(count))
  return function() return text end
end

function kinds.pages(path, count)
  local last = tonumber(count) - 100
  return function() return wrk.format("GET", path .. math.random(0, last)) end
end

function kinds.move(path, count)
  local last = tonumber(count) - 1
  return function()
    local from, to = math.random(0, last), math.random(0, last)
    return wrk.format("POST", path, json, '{"from":' .. from .. ',"to":' .. to .. "}")
  end
end

function kinds.insert(path, ...)
  local inventories, last = {...}, 0
  return function()
    local value = math.random(0, 99999) / 100
    local body = '{"name":"Fluffy spork","serialNumber":"SP-7","valueInDollars":' .. value .. "}"
    last = last % math.max(1, #inventories) + 1
    local fields = {["Content-Type"] = json["Content-Type"], ["Rowhouse-Inventory"] = inventories[last]}
    return wrk.format("POST", path, fields, body)
  end
end

function kinds.patch(path)
  local value = 0
  return function()
    value = value % 1000000 + 1
    return wrk.format("PATCH", path, json, '{"valueInDollars":' .. value .. "}")
  end
end

function init(arguments)
  math.randomseed(1000 + number)
  -- The first numbers of neighbouring seeds are similar.
  for _ = 1, 10 do math.random() end
  request = kinds[arguments[1]](unpack(arguments, 2))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nfigures {"requests":%d,"microseconds":%d,"bytes":%d,"refused":%d,"broken":%d,' ..
    '"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
