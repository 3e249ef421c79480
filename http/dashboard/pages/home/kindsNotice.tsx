import { pathTo } from '../../api.ts';
import { Note } from '../../components/note.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { olderKinds } from './text.ts';

const never = () => false;

/** That the kinds are older than the program, which an upgrade by hand may leave. */
export function KindsNotice() {
  const platform = useLoaded(pathTo('GET /platform', {}), never).value;
  const text = platform && olderKinds(platform.release);
  return text && <Note tone="waiting">{text}</Note>;
}
