import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { patienceMs } from './until.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** What playwright switches off; Chromium reads one list, the last. */
const featuresOfPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];
/** Pages of the address bar, which every window loads and nobody sees: they cost as much as a page of ours. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];
/** A renderer in reserve, which is replaced at every page that another context opens. */
const reserve = 'SpareRendererForSitePerProcess';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--disable-features=${[...featuresOfPlaywright, ...addressBar, reserve].join(',')}`,
];

/** Why no browser can be started here; null where one can. */
export const noBrowser: string | null = executablePath === undefined ? 'there is no chromium' : null;

/** Chromium as this machine has it, without a window. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args, timeout: patienceMs });
