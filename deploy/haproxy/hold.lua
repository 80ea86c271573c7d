-- Holds the requests of a shop while it moves, for five seconds at most.
local shops = Map.new("/etc/haproxy/shops.map", Map._str)
-- The time at which the next held request of each shop may continue. Milliseconds.
local turns = {}

core.register_action("hold", { "http-req" }, function(txn)
  local shop = txn:get_var("txn.shop")
  local waited = 0
  while shop and waited < 5000 and shops:lookup(shop) == "moving" do
    core.msleep(20)
    waited = waited + 20
  end
  if waited == 0 or waited >= 5000 then return end
  -- A cell refuses a shop's requests beyond its share, so they do not continue all at once.
  local time = core.now()
  local now = time.sec * 1000 + time.usec // 1000
  local turn = math.max(now, turns[shop] or 0)
  turns[shop] = turn + 4
  core.msleep(turn - now)
end)
