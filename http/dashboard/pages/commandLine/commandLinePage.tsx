import type { ComponentChildren } from 'preact';
import { Card } from '../../components/card.tsx';
import { Command, CopyButton } from '../../components/copy.tsx';
import { Frame } from '../../components/frame.tsx';
import { httpConfiguration, inputConfiguration, installCommands, listenCommand, signInCommand } from './text.ts';
import { SettingsTabs } from '../../components/settings/settingsTabs.tsx';

/** Settings, Command line: how a terminal and an agent reach this installation. */
export function CommandLinePage() {
  const { origin } = location;
  return (
    <Frame title="Command line">
      <div class="stack">
        <div>
          <h1>Command line</h1>
          <p class="muted">Everything that this dashboard does, from a terminal, a script or an agent.</p>
        </div>
        <SettingsTabs current="commandLine" />
        <Part title="Install" help="It needs Node 20.19 or later.">
          {installCommands.map((one) => (
            <Command key={one.text} {...one} />
          ))}
        </Part>
        <Part title="Sign in" help="It shows a code, which an admin approves here.">
          <Command what="the command that signs in" text={signInCommand(origin)} />
        </Part>
        <Part title="An agent on this machine" help="The agent uses the login of the terminal, read-only.">
          <Configuration what="the configuration of an agent" text={inputConfiguration(origin)} />
        </Part>
        <Part
          title="Agents over HTTP"
          help="Each client sends an API token of its own and sees the tools that the token may use."
        >
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
