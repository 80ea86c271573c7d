-- Holds the requests of a shop while it moves, for five seconds at most.
local shops = Map.new("/etc/haproxy/shops.map", Map._str)

core.register_action("hold", { "http-req" }, function(txn)
  local shop = txn:get_var("txn.shop")
  for _ = 1, 250 do
    if not shop or shops:lookup(shop) ~= "moving" then return end
    core.msleep(20)
  end
end)
