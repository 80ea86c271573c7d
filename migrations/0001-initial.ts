import { Migration } from "@mikro-orm/migrations";

// Identifiers are compared byte by byte ("C"), so TypeIDs sort by time, and faster.
const id = `text collate "C"`;
// The prefix and the length alone: a regular expression takes ten times as long as the other checks of a row together.
// An import checks all characters.
const idOf = (prefix: string) => `${id} check (id like '${prefix}\\_%' and length(id) = ${prefix.length + 27})`;
// Email addresses are ASCII. With this collation, `lower` ignores the database's locale: in Turkish, I becomes ı.
const address = `text collate "C"`;
const instant = "timestamptz(3)";
// Larger than any limit of the API, so that a sum of valid amounts always fits. Without a scale, so that an amount
// keeps the decimals of its currency.
const money = "numeric";

// Without a list of pending words, which each search would read.
const searchIndex = (table: string) =>
  `create index ${table}_search on ${table} using gin (search_words) with (fastupdate = off)`;

export class Migration0001Initial extends Migration {
  override up(): void {
    this.createShops();
    this.createProducts();
    this.createCustomers();
    this.createOrders();
    this.createCredentials();
    this.createStaff();
    this.createWebhooks();
    this.createNotices();
    this.createCounts();
    this.boundValues();
    this.planForAnyShop();
  }

  private createShops(): void {
    this.addSql(`
      create table shops (
        id ${idOf("shop")} primary key,
        name text not null,
        plan text not null check (plan in ('GROWTH', 'ENTERPRISE', 'TRIAL', 'NONE')),
        trial_ends_at ${instant},
        currency char(3) not null,
        -- As defined by ISO 4217 when the shop was created.
        currency_decimals smallint not null check (currency_decimals between 0 and 4),
        prices_include_tax boolean not null default false,
        -- The amount to whose multiples cash is rounded; 0 for exact cash.
        cash_rounding ${money} not null check (cash_rounding >= 0),
        allows_overselling boolean not null default false,
        -- Required of owners before they can use the shop.
        requires_second_factor boolean not null default false,
        -- Set while the shop is closed for a move: requests are refused and nothing is sent.
        closed_at ${instant},
        created_at ${instant} not null,
        check (plan <> 'TRIAL' or trial_ends_at is not null)
      )`);
  }

  private createProducts(): void {
    this.addSql(`
      create table products (
        shop_id ${id} not null references shops (id),
        id ${idOf("prod")} not null,
        title text not null,
        handle text not null,
        description text,
        status text not null check (status in ('ACTIVE', 'DRAFT', 'ARCHIVED')),
        option_names text[] not null default '{}',
        -- Increases with every change, so that receivers can order events.
        version integer not null default 1,
        -- The version of the last edit, for the check of expectedVersion. Sales are not edits.
        edited_version integer not null default 1,
        -- The words of title, handle, SKUs and barcodes, folded. Each starts with the end of shop_id.
        search_words tsvector not null,
        created_at ${instant} not null,
        -- A staff member, service or API key.
        created_by ${id},
        updated_at ${instant} not null,
        primary key (shop_id, id),
        unique (shop_id, handle)
      )`);
    this.addSql("create index products_newest on products (shop_id, created_at desc, id desc)");
    this.addSql("create index products_updated on products (shop_id, updated_at, id)");
    this.addSql("create index products_title on products (shop_id, title, id)");
    this.addSql("create index products_newest_by_status on products (shop_id, status, created_at desc, id desc)");
    this.addSql(searchIndex("products"));
    this.addSql(`
      create table variants (
        shop_id ${id} not null,
        id ${idOf("var")} not null,
        product_id ${id} not null,
        position integer not null,
        title text not null,
        option_values text[] not null default '{}',
        sku text not null,
        barcode text not null,
        price ${money} not null check (price >= 0),
        inventory_quantity integer not null,
        created_at ${instant} not null,
        updated_at ${instant} not null,
        primary key (shop_id, id),
        unique (shop_id, product_id, position),
        foreign key (shop_id, product_id) references products (shop_id, id) on delete cascade
      )`);
    this.addSql("create index variants_stock on variants (shop_id, inventory_quantity, id)");
    this.addSql(`
      create table stock_changes (
        shop_id ${id} not null references shops (id),
        id ${idOf("stk")} not null,
        -- No foreign keys to product, variant and order: the history outlives them.
        product_id ${id} not null,
        variant_id ${id} not null,
        order_id ${id},
        reason text not null check (reason in
          ('INITIAL', 'SOLD', 'RETURNED', 'CANCELLED', 'RECEIVED', 'COUNTED', 'DAMAGED', 'LOST', 'CORRECTED')),
        note text,
        delta integer not null check (delta <> 0),
        quantity_after integer not null,
        actor_id ${id},
        created_at ${instant} not null,
        primary key (shop_id, id)
      )`);
    this.addSql("create index stock_changes_newest on stock_changes (shop_id, created_at desc, id desc)");
    this.addSql("create index stock_changes_variant on stock_changes (shop_id, variant_id, created_at desc, id desc)");
    this.addSql("create index stock_changes_product on stock_changes (shop_id, product_id, created_at desc, id desc)");
  }

  private createCustomers(): void {
    this.addSql(`
      create table customers (
        shop_id ${id} not null references shops (id),
        id ${idOf("cus")} not null,
        email ${address} not null,
        first_name text not null,
        last_name text not null,
        phone text,
        note text,
        -- The words of email address, names and phone number, as for products.
        search_words tsvector not null,
        -- As for products. Changes of store credit are not edits.
        version integer not null default 1,
        edited_version integer not null default 1,
        created_at ${instant} not null,
        updated_at ${instant} not null,
        primary key (shop_id, id)
      )`);
    this.addSql("create unique index customers_email on customers (shop_id, lower(email))");
    this.addSql("create index customers_newest on customers (shop_id, created_at desc, id desc)");
    this.addSql("create index customers_updated on customers (shop_id, updated_at, id)");
    this.addSql("create index customers_name on customers (shop_id, last_name, id)");
    this.addSql(searchIndex("customers"));
    this.addSql(`
      create table store_credit_entries (
        shop_id ${id} not null,
        id ${idOf("scr")} not null,
        customer_id ${id} not null,
        amount ${money} not null check (amount <> 0),
        reason text not null,
        order_id ${id},
        actor_id ${id},
        created_at ${instant} not null,
        primary key (shop_id, id),
        foreign key (shop_id, customer_id) references customers (shop_id, id)
      )`);
    this.addSql(
      "create index store_credit_entries_customer on store_credit_entries (shop_id, customer_id, created_at desc, id desc)",
    );
  }

  private createOrders(): void {
    this.addSql(`
      create table orders (
        shop_id ${id} not null references shops (id),
        id ${idOf("ord")} not null,
        order_number text not null,
        receipt_number text,
        status text not null check (status in ('CONFIRMED', 'CANCELLED', 'REFUNDED')),
        payment_status text not null check (payment_status in
          ('UNPAID', 'PARTIALLY_PAID', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED', 'VOIDED')),
        fulfillment_status text not null check (fulfillment_status in
          ('UNFULFILLED', 'PARTIALLY_FULFILLED', 'FULFILLED')),
        channel text not null check (channel in ('POS', 'STOREFRONT')),
        currency char(3) not null,
        -- As the shop had it when the order was placed.
        prices_include_tax boolean not null default false,
        customer_id ${id},
        subtotal_amount ${money} not null,
        discount_amount ${money} not null,
        tax_amount ${money} not null,
        -- Of cash: part of the total.
        rounding_amount ${money} not null,
        total_amount ${money} not null,
        refunded_amount ${money} not null,
        notes text,
        cancel_reason text,
        cancelled_at ${instant},
        version integer not null default 1,
        created_by ${id},
        created_at ${instant} not null,
        updated_at ${instant} not null,
        primary key (shop_id, id),
        unique (shop_id, order_number),
        unique (shop_id, receipt_number),
        foreign key (shop_id, customer_id) references customers (shop_id, id)
      )`);
    this.addSql("create index orders_newest on orders (shop_id, created_at desc, id desc)");
    this.addSql("create index orders_updated on orders (shop_id, updated_at, id)");
    this.addSql("create index orders_total on orders (shop_id, total_amount, id)");
    this.addSql("create index orders_customer on orders (shop_id, customer_id)");
    // Orders to work on are few, and their pages are polled.
    for (const [name, condition] of [
      ["unpaid", "payment_status = 'UNPAID'"],
      ["unfulfilled", "fulfillment_status = 'UNFULFILLED'"],
    ]) {
      this.addSql(`create index orders_${name} on orders (shop_id, created_at desc, id desc) where ${condition}`);
    }
    this.addSql(`
      create table order_items (
        shop_id ${id} not null,
        id ${idOf("itm")} not null,
        order_id ${id} not null,
        position integer not null,
        -- No foreign keys to product and variant: a line is a snapshot that outlives them.
        product_id ${id} not null,
        variant_id ${id} not null,
        title text not null,
        variant_title text not null,
        sku text not null,
        quantity integer not null check (quantity > 0),
        unit_price ${money} not null,
        discount_amount ${money} not null,
        -- Percent of the amount without tax. Null if the tax was given as an amount.
        tax_rate numeric,
        tax_amount ${money} not null,
        total_amount ${money} not null,
        fulfilled_quantity integer not null default 0,
        refunded_quantity integer not null default 0,
        -- Part of the total, with its tax.
        refunded_amount ${money} not null default 0 check (refunded_amount between 0 and total_amount),
        restocked_quantity integer not null default 0,
        primary key (shop_id, id),
        unique (shop_id, order_id, position),
        check (fulfilled_quantity between 0 and quantity),
        check (refunded_quantity between 0 and quantity),
        check (restocked_quantity between 0 and quantity),
        foreign key (shop_id, order_id) references orders (shop_id, id)
      )`);
    this.addSql(`
      create table payments (
        shop_id ${id} not null,
        id ${idOf("pay")} not null,
        order_id ${id} not null,
        method text not null check (method in ('CASH', 'CARD', 'STORE_CREDIT', 'GIFT_CARD', 'OTHER')),
        status text not null check (status in ('PENDING', 'AUTHORIZED', 'CAPTURED', 'FAILED', 'VOIDED')),
        amount ${money} not null check (amount > 0),
        refunded_amount ${money} not null check (refunded_amount between 0 and amount),
        -- Of cash: parts of the amounts.
        rounding_amount ${money} not null,
        refunded_rounding_amount ${money} not null,
        -- When its order no longer expected it.
        is_late_capture boolean not null default false,
        currency char(3) not null,
        reference text,
        actor_id ${id},
        processed_at ${instant},
        created_at ${instant} not null,
        primary key (shop_id, id),
        foreign key (shop_id, order_id) references orders (shop_id, id)
      )`);
    this.addSql("create index payments_order on payments (shop_id, order_id)");
    this.addSql(`
      create table refunds (
        shop_id ${id} not null,
        id ${idOf("ref")} not null,
        order_id ${id} not null,
        -- 0 if units were returned without money.
        amount ${money} not null check (amount >= 0),
        tax_amount ${money} not null check (tax_amount >= 0),
        currency char(3) not null,
        reason text,
        actor_id ${id},
        created_at ${instant} not null,
        primary key (shop_id, id),
        foreign key (shop_id, order_id) references orders (shop_id, id)
      )`);
    this.addSql("create index refunds_order on refunds (shop_id, order_id)");
    this.addSql(`
      create table refund_payments (
        shop_id ${id} not null,
        refund_id ${id} not null,
        payment_id ${id} not null,
        amount ${money} not null check (amount > 0),
        primary key (shop_id, refund_id, payment_id),
        foreign key (shop_id, refund_id) references refunds (shop_id, id),
        foreign key (shop_id, payment_id) references payments (shop_id, id)
      )`);
    this.addSql(`
      create table refund_items (
        shop_id ${id} not null,
        refund_id ${id} not null,
        item_id ${id} not null,
        quantity integer not null check (quantity > 0),
        tax_amount ${money} not null check (tax_amount >= 0),
        restocked boolean not null,
        primary key (shop_id, refund_id, item_id),
        foreign key (shop_id, refund_id) references refunds (shop_id, id),
        foreign key (shop_id, item_id) references order_items (shop_id, id)
      )`);
    // Numbers without gaps, taken under the row's lock in the transaction that uses them.
    this.addSql(`
      create table number_sequences (
        shop_id ${id} not null references shops (id),
        name text collate "C" not null check (name in ('ORDER', 'RECEIPT')),
        last_number bigint not null,
        primary key (shop_id, name)
      ) with (fillfactor = 50)`);
  }

  private createCredentials(): void {
    this.addSql(`
      create table api_keys (
        shop_id ${id} not null references shops (id),
        id ${idOf("key")} not null,
        name text not null,
        -- SHA-256 of the secret, which is not stored.
        digest bytea not null unique,
        first_characters text not null,
        last_characters text not null,
        scopes text[] not null,
        created_by ${id},
        created_at ${instant} not null,
        expires_at ${instant},
        revoked_at ${instant},
        -- Written in batches, a few seconds late.
        last_used_at ${instant},
        -- The key that replaced this one. Both are valid until it expires.
        successor_id ${id},
        primary key (shop_id, id)
      )`);
    this.addSql(`
      create table service_tokens (
        shop_id ${id} not null references shops (id),
        id ${idOf("svc")} not null,
        name text not null,
        -- SHA-256 of the secret, which is not stored.
        digest bytea not null unique,
        first_characters text not null,
        last_characters text not null,
        permissions text[] not null,
        created_by ${id},
        created_at ${instant} not null,
        expires_at ${instant},
        revoked_at ${instant},
        last_used_at ${instant},
        primary key (shop_id, id)
      )`);
    this.addSql(`
      create table audit_entries (
        shop_id ${id} not null references shops (id),
        id ${idOf("aud")} not null,
        action text not null,
        actor_kind text not null check (actor_kind in ('STAFF', 'SERVICE', 'OPERATOR', 'SYSTEM')),
        actor_id ${id},
        -- Names at that time, because the log outlives actors and targets.
        actor_name text,
        target_id ${id} not null,
        target_name text not null,
        details jsonb not null,
        address text,
        user_agent text,
        created_at ${instant} not null,
        primary key (shop_id, id)
      )`);
    this.addSql("create index audit_entries_newest on audit_entries (shop_id, created_at desc, id desc)");
    for (const column of ["action", "target_id", "actor_id"]) {
      this.addSql(
        `create index audit_entries_newest_by_${column} on audit_entries (shop_id, ${column}, created_at desc, id desc)`,
      );
    }
    this.addSql(`
      create table api_requests (
        -- No foreign keys: shops and keys are never deleted.
        shop_id ${id} not null,
        id ${idOf("req")} not null,
        request_id text not null,
        api_key_id ${id} not null,
        method text not null,
        route text not null,
        path text not null,
        status smallint not null,
        duration_ms real not null,
        error_body text,
        created_at ${instant} not null,
        primary key (shop_id, id)
      )`);
    // The log keeps the newest requests. This counts all.
    this.addSql(`
      create table hourly_requests (
        shop_id ${id} not null,
        hour ${instant} not null,
        requests integer not null,
        client_errors integer not null,
        server_errors integer not null,
        primary key (shop_id, hour)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table idempotency_keys (
        shop_id ${id} not null references shops (id),
        -- The API key, service token or staff member that sent the key.
        caller_id ${id} not null,
        key text collate "C" not null,
        -- SHA-256 of the operation and its input.
        fingerprint bytea not null,
        result jsonb not null,
        created_at ${instant} not null,
        primary key (shop_id, caller_id, key)
      )`);
  }

  private createStaff(): void {
    this.addSql(`
      create table staff (
        id ${idOf("stf")} primary key,
        email ${address} not null,
        password_hash text not null,
        -- When two-factor authentication was turned on. Null while it is off.
        second_factor_at ${instant},
        created_at ${instant} not null,
        -- A disabled account cannot log in.
        disabled_at ${instant}
      )`);
    this.addSql("create unique index staff_email on staff (lower(email))");
    // The authenticator app of an account, confirmed or pending.
    this.addSql(`
      create table second_factors (
        staff_id ${id} primary key references staff (id),
        sealed_secret text not null,
        -- The time step of the last accepted code, so that each code works once.
        last_step integer not null default 0,
        -- Consecutive.
        wrong_codes integer not null default 0,
        -- When a pending app can no longer be confirmed. Null once it is confirmed.
        expires_at ${instant}
      )`);
    this.addSql(`
      create table recovery_codes (
        -- SHA-256 of the code.
        code_digest bytea not null,
        staff_id ${id} not null references staff (id),
        primary key (staff_id, code_digest)
      )`);
    this.addSql(`
      create table memberships (
        shop_id ${id} not null references shops (id),
        staff_id ${id} not null references staff (id),
        role text not null check (role in ('OWNER', 'MANAGER', 'CLERK', 'VIEWER')),
        created_at ${instant} not null,
        -- The kinds of mails about the shop that the member turned off.
        muted_notifications text[] not null default '{}',
        primary key (shop_id, staff_id)
      )`);
    this.addSql("create index memberships_staff on memberships (staff_id)");
    this.addSql(`
      create table invitations (
        shop_id ${id} not null references shops (id),
        id ${idOf("inv")} not null,
        email ${address} not null,
        role text not null check (role in ('OWNER', 'MANAGER', 'CLERK', 'VIEWER')),
        -- SHA-256 of the token in the invitation's link.
        token_digest bytea not null unique,
        invited_by ${id},
        created_at ${instant} not null,
        expires_at ${instant} not null,
        primary key (shop_id, id)
      )`);
    this.addSql("create unique index invitations_email on invitations (shop_id, lower(email))");
    this.addSql(`
      create table sessions (
        id ${idOf("ses")} primary key,
        -- SHA-256 of the token in the cookie.
        token_digest bytea not null unique,
        staff_id ${id} not null references staff (id),
        address text,
        user_agent text,
        created_at ${instant} not null,
        -- Written at most once a minute.
        last_seen_at ${instant} not null,
        expires_at ${instant} not null
      )`);
    this.addSql("create index sessions_staff on sessions (staff_id)");
    this.addSql("create index sessions_expiry on sessions (expires_at)");
    this.addSql(`
      create table password_resets (
        -- SHA-256 of the token in the mail.
        token_digest bytea primary key,
        staff_id ${id} not null references staff (id),
        expires_at ${instant} not null
      )`);
    this.addSql("create index password_resets_staff on password_resets (staff_id)");
    // Browsers that have logged in before. Failed logins elsewhere do not lock them out.
    this.addSql(`
      create table known_devices (
        -- SHA-256 of the token in the device's cookie.
        token_digest bytea not null,
        staff_id ${id} not null references staff (id),
        last_used_at ${instant} not null,
        -- Wrong passwords since the last login.
        guesses integer not null default 0,
        primary key (token_digest, staff_id)
      )`);
    this.addSql("create index known_devices_age on known_devices (last_used_at)");
    this.addSql(`
      create table login_attempts (
        -- SHA-256 of the counter's key: an account, an address, or both.
        key bytea primary key,
        attempts integer not null,
        window_ends_at ${instant} not null
      )`);
    this.addSql("create index login_attempts_age on login_attempts (window_ends_at)");
  }

  private createWebhooks(): void {
    this.addSql(`
      create table webhook_endpoints (
        shop_id ${id} not null references shops (id),
        id ${idOf("whe")} not null,
        url text not null,
        topics text[] not null,
        description text,
        paused boolean not null default false,
        -- Custom headers of each delivery. The values are only in sealed_headers.
        header_names text[] not null default '{}',
        sealed_headers text,
        sealed_secret text not null,
        -- The old secret signs until the new one is active. Both sign until the old one expires.
        secret_active_at ${instant},
        sealed_old_secret text,
        old_secret_expires_at ${instant},
        -- The circuit breaker: consecutive failed attempts, and the time of the first.
        consecutive_failures integer not null default 0,
        failing_since ${instant},
        last_failed_at ${instant},
        -- Failed attempts of each topic since it last succeeded.
        failing_topics jsonb not null default '{}',
        -- The last success of another topic since then.
        answered_at ${instant},
        -- Set while the circuit is open: of each failing topic, only a probe is sent, from this time on.
        probe_at ${instant},
        failed_probes integer not null default 0,
        -- When staff were mailed about the current failures.
        warned_at ${instant},
        disabled_at ${instant},
        disabled_reason text check (disabled_reason in ('GONE', 'FAILING')),
        -- When the last delivery of the current replay is due.
        replays_until ${instant},
        -- The first request and the deliveries of the current replay, which may consist of several requests.
        replay_started_at ${instant},
        replay_total integer not null default 0,
        created_by ${id},
        created_at ${instant} not null,
        updated_at ${instant} not null,
        primary key (shop_id, id)
      )`);
    // For the log of deliveries, which outlives their endpoints.
    this.addSql(`
      create table deleted_webhook_endpoints (
        shop_id ${id} not null references shops (id),
        id ${idOf("whe")} not null,
        -- Without the query, which may hold a secret.
        url text not null,
        deleted_at ${instant} not null,
        primary key (shop_id, id)
      )`);
    this.addSql(`
      create table events (
        shop_id ${id} not null references shops (id),
        id ${idOf("evt")} not null,
        topic text not null,
        -- The signed and sent bytes, serialized once.
        body text not null,
        created_at ${instant} not null,
        -- W3C Trace Context of the change. Null unless traces are on.
        trace_parent text,
        primary key (shop_id, id)
      )`);
    // Unlike most, the indexes of these two tables do not start with the shop. PostgreSQL often takes outstanding
    // deliveries for an almost empty table until it notices a burst. Every index with the shop then has the same cost,
    // and PostgreSQL may search for each row among all of the shop's. Ids belong to one shop anyway.
    this.addSql(`
      -- Written once. The state of a delivery is in the two tables below.
      create table deliveries (
        shop_id ${id} not null,
        id ${idOf("whd")} not null,
        event_id ${id} not null,
        endpoint_id ${id} not null,
        -- Copied from the event, for the index below.
        topic text not null,
        -- True for a test event, which is sent once in any state of the endpoint.
        is_test boolean not null default false,
        created_at ${instant} not null,
        primary key (id, shop_id),
        foreign key (shop_id, event_id) references events (shop_id, id)
        -- No foreign key to the endpoint: a deleted one may have a million deliveries.
      )`);
    this.addSql("create index deliveries_event on deliveries (event_id)");
    // For every list of deliveries, which reads the newest of each endpoint and topic.
    this.addSql("create index deliveries_endpoint on deliveries (endpoint_id, topic, created_at)");
    this.addSql("create index deliveries_test on deliveries (endpoint_id, created_at) where is_test");
    this.addSql(`
      -- Deliveries that have not succeeded. Success deletes the row, without updating an index.
      create table outstanding_deliveries (
        shop_id ${id} not null,
        id ${idOf("whd")} not null,
        -- Copied from the delivery, which never changes.
        event_id ${id} not null,
        endpoint_id ${id} not null,
        topic text not null,
        is_test boolean not null default false,
        -- True while it waits as part of a replay of failed deliveries.
        is_replayed boolean not null default false,
        created_at ${instant} not null,
        status text not null check (status in ('PENDING', 'FAILED')),
        attempts integer not null,
        response_status integer,
        error_class text,
        error text,
        attempted_at ${instant},
        next_attempt_at ${instant},
        primary key (id, shop_id)
        -- No foreign key, because checking it costs a query per row.
      )`);
    this.addSql(`
      create index outstanding_deliveries_endpoint
      on outstanding_deliveries (endpoint_id, topic, status, created_at)`);
    // For lists filtered by error class.
    this.addSql(`
      create index outstanding_deliveries_error
      on outstanding_deliveries (endpoint_id, error_class, topic, status, created_at) where error_class is not null`);
    // Makes the planner expect few rows per class. With another index, a list of a rare class would read all rows of a
    // common one.
    this.addSql("alter table outstanding_deliveries alter column error_class set (n_distinct = 1000)");
    this.addSql(`
      create index outstanding_deliveries_due on outstanding_deliveries (endpoint_id, next_attempt_at)
      where status = 'PENDING' and next_attempt_at is not null`);
    this.addSql(`
      create index outstanding_deliveries_test on outstanding_deliveries (endpoint_id)
      where is_test and status = 'PENDING'`);
    this.addSql(`
      create index outstanding_deliveries_failed on outstanding_deliveries (endpoint_id, created_at, id)
      where status = 'FAILED' and not is_test`);
    this.addSql(`
      create index outstanding_deliveries_replayed on outstanding_deliveries (endpoint_id)
      where is_replayed and status = 'PENDING' and attempted_at is null`);
    this.addSql(`
      create table delivery_attempts (
        shop_id ${id} not null,
        id ${idOf("att")} not null,
        delivery_id ${id} not null,
        -- The number of this attempt since the delivery was created or replayed.
        number integer not null,
        -- True for a probe of a suspended endpoint. A failed probe does not count.
        is_probe boolean not null,
        started_at ${instant} not null,
        response_status integer,
        error_class text,
        error text,
        response_body text,
        -- Names and values, with secrets masked. Of the request, only headers that cannot be derived from the delivery.
        request_headers json,
        response_headers json,
        -- Milliseconds. Null for phases that did not occur, as on an open connection.
        dns_ms real,
        connect_ms real,
        tls_ms real,
        first_byte_ms real,
        total_ms real not null,
        -- Ids sort by time.
        primary key (shop_id, delivery_id, id)
        -- No foreign key, because checking it costs a query per row in the most frequent insert.
      )`);
    // Attempts by hour, counted as they are logged.
    this.addSql(`
      create table hourly_attempts (
        shop_id ${id} not null,
        endpoint_id ${id} not null,
        hour ${instant} not null,
        attempts integer not null,
        failures integer not null,
        -- A histogram, with the buckets of duration-histogram.ts.
        durations integer[] not null,
        -- Starts with the hour, because old ones are deleted.
        primary key (shop_id, hour, endpoint_id)
        -- No foreign key: an attempt may be recorded while its endpoint is deleted.
      ) with (fillfactor = 50)`);
    // Deliveries with their state. One that is not outstanding has succeeded. The result is in its last successful attempt,
    // which readers select themselves: a subquery has to name the shop by a parameter, and a view has none.
    this.addSql(`
      create view delivery_states as
      select deliveries.*, coalesce(outstanding.status, 'SUCCEEDED') as status, attempts, response_status, error_class, error,
        attempted_at, next_attempt_at
      from deliveries
      left join outstanding_deliveries outstanding
        on outstanding.shop_id = deliveries.shop_id and outstanding.id = deliveries.id`);
  }

  private createNotices(): void {
    this.addSql(`
      create table notices (
        shop_id ${id} not null references shops (id),
        kind text collate "C" not null,
        -- An endpoint, a credential, or the shop.
        target_id ${id} not null,
        target_name text not null,
        count integer not null,
        details jsonb not null,
        created_at ${instant} not null,
        -- Null until an email includes it. Old rows stay for 30 days, so that nothing is mailed twice.
        mailed_at ${instant},
        primary key (shop_id, kind, target_id)
      )`);
  }

  // Times that `Date` and ISO 8601 represent, and numbers without NaN, infinity and decimals that no currency has. One
  // constraint for each table, because each takes time to prepare.
  private boundValues(): void {
    this.addSql(`
      do $$
      declare
        bounded record;
      begin
        for bounded in
          select attrelid::regclass as name, string_agg(
            case atttypid when 'numeric'::regtype
              then format('scale(%1$I) <= 4 and abs(%1$I) < 1e21', attname)
              else format('%I between ''1970-01-01 00:00+00'' and ''9999-12-31 23:59:59.999+00''', attname)
            end, ' and ' order by attnum) as condition
          from pg_attribute join pg_class on pg_class.oid = attrelid
          where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'migrations'
            and atttypid in ('numeric'::regtype, 'timestamptz'::regtype) and attnum > 0
          group by attrelid
        loop
          execute format('alter table %s add constraint %I check (%s)',
            bounded.name, bounded.name || '_values_check', bounded.condition);
        end loop;
      end $$`);
  }

  // With one common value instead of a hundred, PostgreSQL expects an average shop where it does not know one. Otherwise it
  // expects a single row, if it knows all others: all indexes that start with the shop then cost the same, and it may read
  // every row of the shop.
  private planForAnyShop(): void {
    for (const table of [
      "products",
      "variants",
      "stock_changes",
      "customers",
      "store_credit_entries",
      "orders",
      "order_items",
      "payments",
      "refunds",
      "refund_payments",
      "refund_items",
    ]) {
      this.addSql(`alter table ${table} alter column shop_id set statistics 1`);
    }
  }

  // Exact totals at a constant cost. Each writer updates the row of its backend's slot, so that writers of one shop
  // seldom wait for each other. A total is the sum of the slots.
  private createCounts(): void {
    this.addSql(`
      create table record_counts (
        shop_id ${id} not null,
        resource text collate "C" not null,
        status text collate "C" not null,
        slot smallint not null,
        count bigint not null,
        primary key (shop_id, resource, status, slot)
      ) with (fillfactor = 50)`);
    for (const [resource, status] of [
      ["products", "status"],
      ["orders", "status"],
      ["customers", "''"],
    ] as const) {
      for (const [operation, changes] of [
        ["insert", `select shop_id, ${status} as status, 1 as change from new_rows`],
        ["delete", `select shop_id, ${status} as status, -1 as change from old_rows`],
        [
          "update",
          `select shop_id, ${status} as status, 1 as change from new_rows
           union all select shop_id, ${status}, -1 from old_rows`,
        ],
      ] as const) {
        const tables = [
          operation !== "insert" && "old table as old_rows",
          operation !== "delete" && "new table as new_rows",
        ];
        this.addSql(`
          create function count_${resource}_${operation}() returns trigger language plpgsql as $$
          declare
            changed record;
          begin
            -- A statement for each group: on a cluster, an insert cannot select from the changed rows.
            for changed in
              select shop_id, status, sum(change) as change from (${changes}) changes
              group by shop_id, status having sum(change) <> 0 order by shop_id, status
            loop
              insert into record_counts as counts (shop_id, resource, status, slot, count)
              values (changed.shop_id, '${resource}', changed.status, pg_backend_pid() % 16, changed.change)
              on conflict (shop_id, resource, status, slot) do update set count = counts.count + excluded.count;
            end loop;
            return null;
          end $$`);
        this.addSql(`
          create trigger count_${operation} after ${operation} on ${resource}
          referencing ${tables.filter(Boolean).join(" ")}
          for each statement execute function count_${resource}_${operation}()`);
      }
    }
  }
}
