/** Formats a time in UTC, because the reader's time zone is unknown. */
export function formatTime(instant: Date | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
