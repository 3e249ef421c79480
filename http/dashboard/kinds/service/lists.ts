import type { Items, Summary } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofKinds } from './concerns.ts';
import { useLoaded } from '../../store/loaded.ts';

/** Every service that the reader may see. */
export const useServices = () => useLoaded<Items<Summary>>(api.apps, ofKinds('CoreApp', 'CoreBuild'));

/** Every project that the reader may see. */
export const useProjects = () => useLoaded<Items<Summary>>(api.projects, ofKinds('CoreProject'));
