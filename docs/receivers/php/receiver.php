<?php
// A webhook receiver with nothing but PHP (8.0 or newer):
//   WEBHOOK_SECRETS="whsec_…" php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

const TOLERANCE = 300; // seconds
const MAX_BODY = 65_536; // bytes

/** Standard Webhooks: signed with its time, so that nobody can send it again later. */
function hasStandardSignature(string $body, array $secrets): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    if ($id === '' || !preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE) {
        return false;
    }
    foreach ($secrets as $secret) {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        // One signature for each secret that is valid at the sender's.
        foreach ($signatures as $signature) {
            if (hash_equals($expected, $signature)) {
                return true;
            }
        }
    }
    return false;
}

/** X-Webhook-Signature: the body alone, keyed with the whole secret as it was shown. */
function hasSha256Signature(string $body, array $secrets): bool
{
    $given = $_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '';
    foreach ($secrets as $secret) {
        if (hash_equals('sha256=' . hash_hmac('sha256', $body, $secret), $given)) {
            return true;
        }
    }
    return false;
}

/**
 * A file for each event, which other deliveries of it wait for, and which is empty until it was handled. In
 * production: a table with the id as its key, and the body, to which this adds before it answers. A worker takes
 * its rows from there. Keep ids for 30 days: a delivery can be replayed that long.
 */
function handleOnce(array $event): void
{
    $directory = sys_get_temp_dir() . '/handled-webhooks';
    is_dir($directory) || mkdir($directory, 0700);
    $file = fopen($directory . '/' . hash('sha256', $event['id']), 'c+');
    flock($file, LOCK_EX);
    if (fread($file, 1) === '') {
        handle($event);
        fwrite($file, '1');
    }
}

function handle(array $event): void
{
    ['id' => $id, 'topic' => $topic, 'data' => $data] = $event;
    say(match ($topic) {
        'order.paid' => "Ship order {$data['orderNumber']} ($id)",
        'order.refunded' => "Book a refund of {$data['amount']} {$data['currency']} for order {$data['orderNumber']} ($id)",
        default => "Ignore $topic ($id)",
    });
}

function say(string $line): void
{
    file_put_contents('php://stdout', "$line\n");
}

function receive(): int
{
    // During a rotation: the new secret and the old one, with a space between.
    $secrets = preg_split('/\s+/', getenv('WEBHOOK_SECRETS') ?: '', -1, PREG_SPLIT_NO_EMPTY);
    $secrets !== [] || throw new RuntimeException('WEBHOOK_SECRETS is missing');
    $isGenuine = getenv('WEBHOOK_SCHEME') === 'sha256' ? 'hasSha256Signature' : 'hasStandardSignature';
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    // The bytes as they came: parsed and printed again, they would have another signature.
    $body = file_get_contents('php://input', false, null, 0, MAX_BODY + 1);
    if (strlen($body) > MAX_BODY) {
        return 413;
    }
    if (!$isGenuine($body, $secrets)) {
        return 401;
    }
    // The records of a test event do not exist.
    if (!isset($_SERVER['HTTP_X_WEBHOOK_TEST'])) {
        handleOnce(json_decode($body, true, 64, JSON_THROW_ON_ERROR));
    }
    return 204;
}

// Otherwise an event with a missing field counts as handled.
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message), E_WARNING);
try {
    http_response_code(receive());
} catch (Throwable $error) { // The event comes again.
    error_log((string) $error);
    http_response_code(500);
}
