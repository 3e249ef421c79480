import type { Items, Summary } from '../../../api.ts';
import { api } from '../../api.ts';
import { useList } from '../../store/list.ts';
import { useLoaded } from '../../store/loaded.ts';
import { ofKinds } from './concerns.ts';

/** Every service that the reader may see. */
export const useServices = () => useList({ path: api.apps, kind: 'CoreApp', one: api.app });

/** Every project that the reader may see. */
export const useProjects = () => useLoaded<Items<Summary>>(api.projects, ofKinds('CoreProject'));
