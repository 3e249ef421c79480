export const leaderKnows = 'This replica is a standby: only the one that leads knows the next check';
export const sinceNotStored = 'The time at which it entered this state is not stored';
