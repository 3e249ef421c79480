import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Summary } from '../../../api.ts';
import { now } from '../../store/clock.ts';
import { isDue } from '../../model/backups.ts';

/** Whether an archive is due to be removed, from the very moment on. */
export const useDue = (archive: Summary): boolean =>
  useMemo(() => computed(() => isDue(archive, now.value)), [archive]).value;
