import { posix } from 'node:path';
import { type Program, complain, say } from './process.ts';

/** What `uname` prints on a simulated machine. */
const kernel = { name: 'Linux', release: '0.0.0-simulated', version: '#1 simulated', machine: 'x86_64' } as const;

const uname: Program = async (process) => {
  const flags = process.args.join('').replaceAll('-', '');
  const all = flags.includes('a');
  const parts = [
    ...(all || flags === '' || flags.includes('s') ? [kernel.name] : []),
    ...(all || flags.includes('n') ? [process.session.place.hostname] : []),
    ...(all || flags.includes('r') ? [kernel.release] : []),
    ...(all || flags.includes('v') ? [kernel.version] : []),
    ...(all || flags.includes('m') ? [kernel.machine] : []),
    ...(all || flags.includes('o') ? ['GNU/Linux'] : []),
  ];
  await say(process, `${parts.join(' ')}\n`);
  return 0;
};

const nameOf = ({ uid }: { readonly uid: number }) => (uid === 0 ? 'root' : String(uid));

const id: Program = async (process) => {
  const { user } = process.session.place;
  const [flag] = process.args;
  const named = (value: number) => (value === 0 ? '0(root)' : String(value));
  const text =
    flag === '-u'
      ? String(user.uid)
      : flag === '-g'
        ? String(user.gid)
        : flag === '-un'
          ? nameOf(user)
          : `uid=${named(user.uid)} gid=${named(user.gid)} groups=${named(user.gid)}`;
  await say(process, `${text}\n`);
  return 0;
};

const whoami: Program = async (process) => {
  await say(process, `${nameOf(process.session.place.user)}\n`);
  return 0;
};

const ps: Program = async (process) => {
  const { main, user } = process.session.place;
  const row = (pid: number, command: string) =>
    `${String(pid).padStart(5)} ${nameOf(user).padEnd(9)} 0:00 ${command}\n`;
  await say(process, `PID   USER     TIME  COMMAND\n${row(1, main)}${row(7, 'sh')}${row(8, 'ps')}`);
  return 0;
};

const hostname: Program = async (process) => {
  await say(process, `${process.session.place.hostname}\n`);
  return 0;
};

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const date: Program = async (process) => {
  const now = new Date(process.session.place.now());
  const two = (value: number) => String(value).padStart(2, '0');
  const [day, time] = [now.toISOString().slice(0, 10), now.toISOString().slice(11, 19)];
  const fields: Readonly<Record<string, string>> = {
    s: String(Math.floor(now.getTime() / 1_000)),
    Y: String(now.getUTCFullYear()),
    m: two(now.getUTCMonth() + 1),
    d: two(now.getUTCDate()),
    H: time.slice(0, 2),
    M: time.slice(3, 5),
    S: time.slice(6, 8),
    F: day,
    T: time,
    Z: 'UTC',
  };
  const format = process.args.find((arg) => arg.startsWith('+'))?.slice(1);
  const month = months[now.getUTCMonth()] ?? '';
  const plain = `${days[now.getUTCDay()] ?? ''} ${month} ${String(now.getUTCDate()).padStart(2)} ${time} UTC ${fields['Y']}`;
  const text = format?.replace(/%([a-zA-Z])/g, (whole, letter: string) => fields[letter] ?? whole) ?? plain;
  await say(process, `${text}\n`);
  return 0;
};

const stty: Program = async (process) => {
  const size = process.session.place.windowSize();
  if (process.args[0] === 'size' && size) {
    await say(process, `${size.rows} ${size.columns}\n`);
    return 0;
  }
  await complain(process, size ? 'stty: only size is simulated' : 'stty: standard input: Not a tty');
  return 1;
};

const tty: Program = async (process) => {
  const isTerminal = process.session.place.windowSize() !== null;
  await say(process, isTerminal ? '/dev/pts/0\n' : 'not a tty\n');
  return isTerminal ? 0 : 1;
};

const pwd: Program = async (process) => {
  await say(process, `${process.session.directory}\n`);
  return 0;
};

const cd: Program = async (process) => {
  const { session, args } = process;
  const target = args[0] ?? session.environment.get('HOME') ?? '/';
  const wanted = target === '-' ? (session.environment.get('OLDPWD') ?? session.directory) : target;
  const path = posix.resolve(session.directory, wanted);
  if (session.place.files.names(path) === null) {
    const why = session.place.files.isFile(path) ? 'Not a directory' : 'No such file or directory';
    await complain(process, `sh: cd: can't cd to ${target}: ${why}`);
    return 1;
  }
  session.environment.set('OLDPWD', session.directory);
  session.environment.set('PWD', path);
  session.directory = path;
  return 0;
};

/** The programs about the machine, its user and processes, the terminal, and the working directory. */
export const places: Readonly<Record<string, Program>> = {
  uname,
  id,
  whoami,
  ps,
  hostname,
  date,
  stty,
  tty,
  pwd,
  cd,
};
