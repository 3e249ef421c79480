import { render } from 'preact';
import { App } from './app.tsx';
import { startKeys } from './components/frame/keys.ts';
import { startRouter } from './router.ts';
import { startClock } from './store/clock.ts';
import { startViewport } from './store/viewport.ts';
import { startSession } from './store/session.ts';
import './styles/all.css';
import { startTheme } from './store/theme.ts';

const root = document.querySelector('#app');
if (!root) throw new Error('The page has no place for the dashboard');

startTheme();
startRouter();
startKeys();
startClock();
startViewport();
startSession();
render(<App />, root);
