interface PostFormProps {
  /** The address on another site. */
  readonly to: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Leads the browser to another site with more than an address, as soon as it is there. */
export const PostForm = ({ to, values }: PostFormProps) => (
  <form method="post" action={to} hidden ref={(form) => form?.submit()}>
    {Object.entries(values).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </form>
);
