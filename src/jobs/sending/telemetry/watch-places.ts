import type { Counts } from "../../../platform/counts.ts";
import type { Metrics } from "../../../platform/telemetry/metrics.ts";
import { PLACES } from "../send-webhooks.ts";

/** Exposes how many of this worker's places are taken. */
export function watchPlaces(places: Counts, metrics: Metrics): void {
  metrics.gauge("webhook_places_taken", "Endpoints that this worker sends to now.", () => places.total);
  metrics.gauge("webhook_places_limit", "Endpoints that this worker can send to at a time.", () => PLACES);
  metrics.gauge("webhook_places_shops", "Shops of the endpoints that this worker sends to now.", () => places.size);
}
