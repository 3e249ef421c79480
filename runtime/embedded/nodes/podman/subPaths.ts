import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { posix } from 'node:path';

/** Opens a place without reading it, which a pipe would wait for. Node has no name for it. */
const pathOnly = 0o10000000;
const mostLinks = 40;
const permissions = 0o7777;

/**
 * The place below a volume that a subPath means; a folder that is not there is made. Containers write to volumes, so each
 * step is taken from a folder that is held open, and a link leads within the volume or nowhere: null where it leads out.
 */
export function placeBelow(volume: string, subPath: string): string | null {
  const root = realpathSync(volume);
  const held = [{ name: '', file: openSync(root, pathOnly | constants.O_NOFOLLOW) }];
  const here = () => `/proc/self/fd/${held.at(-1)?.file ?? 0}`;
  const { mode } = lstatSync(root);
  try {
    let links = 0;
    for (let rest = partsOf(subPath); rest.length > 0;) {
      const [name = '', ...next] = rest;
      rest = next;
      if (name === '..') {
        closeSync(held.pop()?.file ?? 0);
        if (held.length === 0) return null;
        continue;
      }
      const path = `${here()}/${name}`;
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found?.isSymbolicLink() === true) {
        const target = readlinkSync(path);
        links += 1;
        if (posix.isAbsolute(target) || links > mostLinks) return null;
        rest = [...partsOf(target), ...rest];
        continue;
      }
      if (!found) mkdirSync(path);
      held.push({ name, file: openSync(path, pathOnly | constants.O_NOFOLLOW) });
      if (!found) chmodSync(here(), mode & permissions);
    }
    return posix.join(root, ...held.map(({ name }) => name));
  } finally {
    for (const { file } of held) closeSync(file);
  }
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '' && part !== '.');

interface Mounted {
  readonly device: string;
  /** What of its file system is mounted. */
  readonly root: string;
  readonly target: string;
}

/**
 * Whether a process has each of these places mounted, as often as it is named. Whoever put a link in place of a folder
 * after that was looked at has led the mount elsewhere.
 */
export function areMounted(places: readonly string[], pid: number): boolean {
  const own = mountsOf('self');
  const left = mountsOf(String(pid)).map(({ device, root }) => `${device} ${root}`);
  return places.every((place) => {
    const found = left.indexOf(rootOf(place, own));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

/** What is mounted where this place is mounted: the place as its file system calls it. */
function rootOf(place: string, mounts: readonly Mounted[]): string {
  const isOver = ({ target }: Mounted) => target === '/' || place === target || place.startsWith(`${target}/`);
  const over = mounts.filter(isOver).reduce((a, b) => (b.target.length >= a.target.length ? b : a));
  return `${over.device} ${posix.join(over.root, posix.relative(over.target, place))}`;
}

function mountsOf(process: string): readonly Mounted[] {
  const lines = readFileSync(`/proc/${process}/mountinfo`, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, , device = '', root = '', target = ''] = line.split(' ');
    return { device, root: plain(root), target: plain(target) };
  });
}

/** The kernel writes spaces and the like as octal numbers. */
const plain = (path: string) =>
  path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
