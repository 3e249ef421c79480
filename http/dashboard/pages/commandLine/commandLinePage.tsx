import type { ComponentChildren } from 'preact';
import { Card } from '../../components/card.tsx';
import { Command, CopyButton } from '../../components/copy.tsx';
import { Frame } from '../../components/frame.tsx';
import {
  httpConfiguration,
  inputConfiguration,
  installCommands,
  listenCommand,
  signInCommand,
  pageHelp,
  installHelp,
  signInHelp,
  localAgentHelp,
  remoteAgentHelp,
} from './text.ts';
import { SettingsTabs } from '../../components/settings/settingsTabs.tsx';

/** Settings, Command line: how a terminal and an agent reach this installation. */
export function CommandLinePage() {
  const { origin } = location;
  return (
    <Frame title="Command line">
      <div class="stack">
        <div>
          <h1>Command line</h1>
          <p class="muted">{pageHelp}</p>
        </div>
        <SettingsTabs current="commandLine" />
        <Part title="Install" help={installHelp}>
          {installCommands.map((one) => (
            <Command key={one.text} {...one} />
          ))}
        </Part>
        <Part title="Sign in" help={signInHelp}>
          <Command what="the command that signs in" text={signInCommand(origin)} />
        </Part>
        <Part title="An agent on this machine" help={localAgentHelp}>
          <Configuration what="the configuration of an agent" text={inputConfiguration(origin)} />
        </Part>
        <Part title="Agents over HTTP" help={remoteAgentHelp}>
          <Command what="the command that serves agents" text={listenCommand(origin)} />
          <Configuration what="the configuration of an agent over HTTP" text={httpConfiguration()} />
        </Part>
      </div>
    </Frame>
  );
}

interface PartProps {
  readonly title: string;
  readonly help: string;
  readonly children: ComponentChildren;
}

const Part = ({ title, help, children }: PartProps) => (
  <Card title={title} actions={<span class="muted small">{help}</span>}>
    <div class="card-body stack-tight">{children}</div>
  </Card>
);

const Configuration = ({ what, text }: { readonly what: string; readonly text: string }) => (
  <div class="command">
    <pre class="mono small">{text}</pre>
    <CopyButton text={text} what={what} />
  </div>
);
