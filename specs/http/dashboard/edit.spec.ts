import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { arrived, type Edit, editOf, knownOf, letGo, savedAs } from '../../../http/dashboard/model/edit.ts';
import { type FormValues, movedOn, secretsOf, storedOf, unsaved } from '../../../http/dashboard/model/form.ts';
import { suite } from '../../support/suite.ts';

const edits = suite('edited forms');

const server = { size: '1Gi', cpu: '1' };
const typed = (edit: Edit, values: FormValues): Edit => ({ ...edit, values: { ...edit.values, ...values } });
const saved = (edit: Edit, of: FormValues = server, stored = edit.values) => savedAs(edit, of, [edit.values, stored]);
const dirty = ({ before, values }: Edit) => unsaved(before, values);

edits('a form follows the server until a field is changed, and then offers the new values', () => {
  const moved = { size: '1Gi', cpu: '2' };
  assert.equal(arrived(editOf(server), moved).values, moved);
  const edit = arrived(typed(editOf(server), { size: '2Gi' }), moved);
  assert.equal(edit.values, { size: '2Gi', cpu: '1' });
  assert.equal(movedOn(edit.before, knownOf(edit, moved)), { cpu: '2' });
});

edits('a form shows the saved values before the next read and keeps fields changed meanwhile', () => {
  const after = saved(typed(editOf(server), { size: '2Gi', cpu: '2' }));
  assert.equal(arrived(after, server).values, { size: '2Gi', cpu: '2' });
  assert.equal(dirty(arrived(after, server)), []);
  const typing = typed(arrived(after, server), { size: '3Gi' });
  const stale = arrived(typing, server);
  assert.equal([stale.values['size'], movedOn(stale.before, knownOf(stale, server))], ['3Gi', {}]);
  const fresh = { size: '2Gi', cpu: '2.0' };
  const read = arrived(typing, fresh);
  assert.equal(read, { before: fresh, values: { size: '3Gi', cpu: '2.0' }, held: {} });
  assert.equal(movedOn(read.before, knownOf(read, fresh)), {}, 'nothing of it is offered as changed elsewhere');
});

edits('a field changed during a save is not counted as saved', () => {
  const sent = typed(editOf(server), { size: '2Gi' });
  const after = savedAs(typed(sent, { size: '3Gi' }), server, [sent.values, sent.values]);
  assert.equal(dirty(after), ['size']);
  assert.equal(arrived(after, { size: '2Gi', cpu: '1' }).values['size'], '3Gi');
});

edits('a form shows the value of the server when the server did not keep the saved one', () => {
  const after = letGo(saved(typed(editOf(server), { size: '' })));
  assert.equal(arrived(after, server), editOf(server));
  const back = arrived(saved(typed(editOf(server), { size: '2Gi' })), { size: '2Gi', cpu: '1' });
  assert.equal(arrived(back, server).values, server, 'the value was set back elsewhere');
});

edits('a secret field is empty after a save', () => {
  const fields = [{ name: 'token', kind: 'secret' }, { name: 'user' }];
  const own = { token: '', user: '' };
  const sent = typed(editOf(own), { token: 'x', user: 'ada' });
  const after = saved(sent, own, storedOf(secretsOf(fields), sent.values));
  assert.equal(arrived(after, own).values, { token: '', user: 'ada' });
  assert.equal(dirty(after), []);
});

edits('a form never loses a value entered after the last save, for any order of events', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  const fields = fc.record({ x: word, y: word }, { noNullPrototype: true });
  const step = fc.oneof(
    fc.record({ is: fc.constant('type' as const), name: fc.constantFrom('x', 'y'), value: word }),
    fc.record({ is: fc.constant('arrives' as const), server: fields }),
    fc.record({ is: fc.constantFrom('save' as const, 'letGo' as const) }),
  );
  fc.assert(
    fc.property(fields, fc.array(step, { maxLength: 12 }), (first, steps) => {
      let now: FormValues = first;
      let edit = editOf(first);
      const kept = new Map<string, string>();
      for (const one of steps) {
        if (one.is === 'type') {
          edit = typed(edit, { [one.name]: one.value });
          kept.set(one.name, one.value);
        } else if (one.is === 'arrives') now = one.server;
        else if (one.is === 'letGo') edit = letGo(edit);
        else {
          edit = saved(edit, now);
          kept.clear();
        }
        edit = arrived(edit, now);
        for (const name of kept.keys()) if (!dirty(edit).includes(name)) kept.delete(name);
        for (const [name, value] of kept) assert.is(edit.values[name], value);
        if (dirty(edit).length === 0 && Object.keys(edit.held).length === 0) assert.equal(edit.values, now);
      }
    }),
  );
});

edits.run();
