/** Why a project may not use a cloud connection: it is missing, or it is not scoped to the project. */
export interface ConnectionRefused {
  readonly name: string;
  readonly is: 'absent' | 'foreign';
  readonly why: string;
}
