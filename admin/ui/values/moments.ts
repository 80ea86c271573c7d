const HOUR = 3_600_000;

/** The moment so many hours from now, or ago when negative. */
export const hoursAway = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

export const isAhead = (moment: string | null): moment is string => moment !== null && Date.parse(moment) > Date.now();
