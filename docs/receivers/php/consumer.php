<?php
// Fetches and handles the events of a pull endpoint, with PHP (8.0 or newer) and its extension pdo_sqlite:
//   BASE_URL=https://… TOKEN=svt_… SHOP_ID=shop_… ENDPOINT_ID=whe_… php consumer.php
declare(strict_types=1);

const LONGEST_PAUSE = 30; // seconds
const RECEIVE = 'mutation ($shopId: ID!, $endpointId: ID!) {
  receiveEvents(shopId: $shopId, endpointId: $endpointId, limit: 100, leaseSeconds: 60, waitSeconds: 20) { id event attempts }
}';
const ACKNOWLEDGE = 'mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!) {
  acknowledgeEvents(shopId: $shopId, endpointId: $endpointId, ids: $ids) { changed }
}';
const EXTEND = 'mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!, $leaseSeconds: Int!) {
  extendLease(shopId: $shopId, endpointId: $endpointId, ids: $ids, leaseSeconds: $leaseSeconds) { changed }
}';

function setting(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("$name is missing");
}

function ask(string $query, array $variables = []): array
{
    $variables += ['shopId' => setting('SHOP_ID'), 'endpointId' => setting('ENDPOINT_ID')];
    $body = json_encode(['query' => $query, 'variables' => $variables], JSON_THROW_ON_ERROR);
    $headers = ['Content-Type: application/json', 'Authorization: Bearer ' . setting('TOKEN')];
    $http = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'timeout' => 40, 'ignore_errors' => true];
    $answer = file_get_contents(setting('BASE_URL') . '/graphql', false, stream_context_create(['http' => $http]));
    $answer !== false || throw new RuntimeException('No response');
    $decoded = json_decode($answer, true, 64, JSON_THROW_ON_ERROR);
    isset($decoded['errors']) && throw new RuntimeException($decoded['errors'][0]['message']);
    return $decoded['data'];
}

/** Handles an event once. Write your changes here too: they commit together with the id, or not at all. */
function handle(PDO $database, array $event): void
{
    ['id' => $id, 'topic' => $topic, 'data' => $data] = $event;
    $database->beginTransaction();
    try {
        $insert = $database->prepare('insert into handled (id) values (?) on conflict do nothing');
        $insert->execute([$id]);
        if ($insert->rowCount() === 1) {
            echo $topic === 'order.paid' ? "Ship order {$data['orderNumber']} ($id)\n" : "Ignore $topic ($id)\n";
        }
        $database->commit();
    } catch (Throwable $error) {
        $database->rollBack();
        throw $error;
    }
}

$database = new PDO('sqlite:' . (getenv('DATABASE') ?: 'consumer.db'));
$database->exec('create table if not exists handled (id text primary key, at text default current_timestamp)');
$pause = 1;
while (true) {
    try {
        $received = ask(RECEIVE)['receiveEvents'];
        $handled = [];
        foreach ($received as ['id' => $id, 'event' => $event, 'attempts' => $attempts]) {
            try {
                handle($database, json_decode($event, true, 64, JSON_THROW_ON_ERROR));
                $handled[] = $id;
            } catch (Throwable $error) {
                // The others do not wait for it. It comes again: after 5 seconds, and later each time.
                error_log($error->getMessage());
                ask(EXTEND, ['ids' => [$id], 'leaseSeconds' => (int) min(5 * 2 ** ($attempts - 1), 300)]);
            }
        }
        if ($handled !== []) {
            // After the commit: after a crash before this line, the events come again, and are known.
            ask(ACKNOWLEDGE, ['ids' => $handled]);
            $pause = 1;
        } elseif ($received !== []) {
            throw new RuntimeException('No event could be handled');
        } else {
            sleep(1); // The server is stopping, or too many wait.
        }
    } catch (Throwable $error) {
        error_log($error->getMessage());
        sleep($pause);
        $pause = min(2 * $pause, LONGEST_PAUSE);
    }
}
