const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long" });

/** Formats the start of an hour, such as "14:00". */
export const formatHour = (start: string) => hour.format(Date.parse(start));

/** Formats the day of a time, such as "Monday". */
export const formatWeekday = (time: string) => day.format(Date.parse(time));
