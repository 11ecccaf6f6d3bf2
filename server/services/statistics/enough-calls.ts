/** Of fewer calls, or of fewer callers, a figure that anyone may read would tell what somebody does here. */
export const FEWEST_CALLS = 50
export const FEWEST_USERS = 3
