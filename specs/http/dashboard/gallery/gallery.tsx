import { render } from 'preact';
import { address, startRouter } from '../../../../http/dashboard/router.ts';
import { startClock } from '../../../../http/dashboard/store/clock.ts';
import { startViewport } from '../../../../http/dashboard/store/viewport.ts';
import { reader } from '../../../../http/dashboard/store/session.ts';
import '../../../../http/dashboard/styles/all.css';
import { StandPage } from './stand.tsx';
import { changeSamples } from './stands/changes.tsx';
import { gateSamples } from './stands/gate.tsx';
import { listSamples } from './stands/lists.tsx';
import { stateSamples } from './stands/states.tsx';
import { tableSamples } from './stands/tables.tsx';

const live = [...stateSamples, ...changeSamples, ...gateSamples, ...listSamples, ...tableSamples];

/** The part that the address names, for an admin, or for a viewer where the address says so. */
function Gallery() {
  const query = new URLSearchParams(address.value.search);
  const stand = live.find(({ name }) => name === query.get('part'));
  return stand ? <StandPage key={stand.name} stand={stand} /> : null;
}

const isViewer = new URLSearchParams(location.search).has('viewer');
reader.value = {
  is: 'signedIn',
  identity: {
    username: 'ada',
    role: isViewer ? 'viewer' : 'admin',
    scope: 'workspace',
    canMutate: !isViewer,
    canReadSensitive: !isViewer,
    authentication: 'session',
  },
};
startRouter();
startClock();
startViewport();
const root = document.querySelector('#app');
if (root) render(<Gallery />, root);
