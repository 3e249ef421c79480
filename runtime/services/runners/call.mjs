// Calls a function for one of its schedules: call.mjs <address> <schedule>.
const [address, trigger] = process.argv.slice(2);
const answer = await fetch(address, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'x-core-trigger': trigger,
    'x-core-trigger-token': process.env.CORE_TRIGGER_TOKEN,
  },
  body: JSON.stringify({ trigger, at: new Date().toISOString() }),
});
process.stdout.write(`${trigger}: ${answer.status}\n`);
process.exit(answer.ok ? 0 : 1);
