export const noRuleWaits = 'No rule of this state waits for anything.';
export const factsHidden = 'Your role cannot view facts.';
