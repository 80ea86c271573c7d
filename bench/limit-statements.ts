// Each statement checks the key and builds the answer. It returns no row for an unknown key.

/** SQL: the caller of the key with the digest $1 in the shop $2, and the status that its request gets. */
const callerWith = (scope: string) => `
  caller as (
    select api_keys.id as key_id, case
        when shop_id <> $2 then 404
        when '${scope}' = any(scopes) and (
          plan = 'ENTERPRISE' or (plan = 'TRIAL' and trial_ends_at > now())
          ${scope.startsWith("read_") ? "or plan = 'GROWTH'" : ""}
        ) then 200
        else 403 end as status
    from api_keys join shops on shops.id = shop_id
    where digest = $1 and revoked_at is null and (expires_at is null or expires_at > now())
  )`;

const variantsOfProduct = (more = "") => `
  (select coalesce(json_agg(variant), '[]') from (
    select id, title, sku, price, inventory_quantity as "inventoryQuantity" ${more}
    from variants where shop_id = $2 and product_id = product.id order by position
  ) variant) as variants`;

/** $3 is the limit, $4 the page. */
export const listProducts = {
  name: "list",
  text: `with ${callerWith("read_products")},
    counted as (
      select coalesce(sum(count), 0)::int as total from record_counts where shop_id = $2 and resource = 'products'
    )
    select status, case when status = 200 then json_build_object(
      'products', (select coalesce(json_agg(page), '[]') from (
        select id, title, handle, status, ${variantsOfProduct(", barcode")}
        from products product where shop_id = $2 order by created_at desc, id desc
        limit $3::int offset ($4::int - 1) * $3::int
      ) page),
      'pagination', (select json_build_object('page', $4::int, 'limit', $3::int, 'total', total,
        'pages', (total + $3::int - 1) / $3::int) from counted)
    )::text end as body from caller`,
};

/** $3 is the product. */
export const getProduct = {
  name: "single",
  text: `with ${callerWith("read_products")},
    found as (
      select json_build_object('product', found)::text as body from (
        select id, title, handle, status, description, ${variantsOfProduct()}
        from products product where shop_id = $2 and id = $3
      ) found
    )
    select case when status = 200 and body is null then 404 else status end as status,
      case when status = 200 then body end as body
    from caller left join found on true`,
};

/**
 * Inserts all rows of a create: $3 to $6 are the product's id, title, handle and status, $7 its search words, $8 the
 * variant's id, $9 to $11 its SKU, price and stock, $12 the id of the change of stock, $13 and $14 the event's id and
 * body, $15 the time, $16 ids for as many deliveries as a shop has endpoints. The body is null if the handle is taken.
 */
export const createProduct = {
  name: "create",
  text: `with ${callerWith("write_products")},
    product as (
      insert into products (shop_id, id, title, handle, status, search_words, created_by, created_at, updated_at)
      select $2, $3, $4, $5, $6, $7, key_id, $15, $15 from caller where status = 200
      on conflict (shop_id, handle) do nothing
      returning id, title, handle, status, created_by
    ), variant as (
      insert into variants (shop_id, id, product_id, position, title, sku, barcode, price, inventory_quantity,
        created_at, updated_at)
      select $2, $8, id, 1, 'Default Title', $9, '', $10, $11, $15, $15 from product
    ), stock as (
      insert into stock_changes (shop_id, id, product_id, variant_id, reason, delta, quantity_after, actor_id, created_at)
      select $2, $12, id, $8, 'INITIAL', $11, $11, created_by, $15 from product where $11 > 0
    ), event as (
      insert into events (shop_id, id, topic, body, created_at)
      select $2, $13, 'product.created', $14, $15 from product
    ), subscriber as (
      select endpoint.id as endpoint_id, ($16::text[])[row_number() over ()] as id
      from product cross join webhook_endpoints endpoint
      where endpoint.shop_id = $2 and 'product.created' = any(topics)
    ), delivery as (
      insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
      select $2, id, $13, endpoint_id, 'product.created', $15 from subscriber
    ), outstanding as (
      insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, created_at, status, attempts,
        next_attempt_at)
      select $2, id, $13, endpoint_id, 'product.created', $15, 'PENDING', 0, $15 from subscriber
    ), job as (
      select graphile_worker.add_jobs(array_agg(row('send-webhooks',
        json_build_object('shopId', $2::text, 'endpointId', endpoint_id), null, null, null, null, 0,
        array[endpoint_id])::graphile_worker.job_spec)) as added
      from subscriber having count(*) > 0
    )
    select case when status = 200 then 201 else status end as status,
      (select json_build_object('product', shown)::text from (select id, title, handle, status from product) shown) as body,
      (select count(added) from job) as jobs
    from caller`,
};
