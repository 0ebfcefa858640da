const dayMs = 86_400_000

/**
 * Orders that are open, and presses that are repeated, are of the last two days: a use lasts up to one, and begins some
 * time after it was ordered. Given to a statement as an instant, it leaves out the months before when the statement is
 * planned; an interval taken off by the database is known too late for that.
 */
export const earliestOpen = (now: Date): Date => new Date(now.getTime() - 2 * dayMs)
