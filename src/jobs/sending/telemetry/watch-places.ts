import type { Counts } from "../../../platform/counts.ts";
import type { Metrics } from "../../../platform/telemetry/metrics.ts";
import { PLACES } from "../send-webhooks.ts";

/** Exposes how many of this worker's places are taken. */
export function watchPlaces(places: Counts, metrics: Metrics): void {
  metrics.gauge("webhook_places_taken", "Endpoints that this worker is sending to.", () => places.total);
  metrics.gauge("webhook_places_limit", "Maximum endpoints that this worker can send to at a time.", () => PLACES);
  metrics.gauge("webhook_places_shops", "Shops with endpoints that this worker is sending to.", () => places.size);
}
