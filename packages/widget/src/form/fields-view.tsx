/** The fields of a question that are visible with the current values. */
import { type Field, isInputField, visibleFields } from '@holdpoint/protocol/answers';
import { useMemo } from 'preact/hooks';
import { OwnText } from '../blocks/untrusted.tsx';
import { fields as rules } from '../style/fields.ts';
import { fieldSheet } from '../style/sheets.ts';
import { FieldRow, type FieldRowProps } from './field-row.tsx';
import { isSame, type Values } from './form-state.ts';

fieldSheet.replaceSync(rules);

interface FieldsViewProps extends Pick<FieldRowProps, 'strings' | 'uploads'> {
  fields: readonly Field[];
  values: Values;
  onChange(name: string, value: unknown): void;
  /** By field name. */
  problems: ReadonlyMap<string, string>;
  recommendations: Values;
  idPrefix: string;
}

export const controlId = (prefix: string, name: string): string => `${prefix}-${name}`;

export function FieldsView(props: FieldsViewProps) {
  const { fields, values, onChange, problems, recommendations, idPrefix, strings, uploads } = props;
  return (
    <>
      {visibleFields(fields, values).map((field, index) => {
        // A field of an unknown type without a name asks for nothing.
        if (!isInputField(field) || field.name === undefined)
          return <DisplayField key={`display ${index}`} field={field} />;
        const { name } = field;
        return (
          <Row
            key={name}
            {...{ field, strings, uploads }}
            id={controlId(idPrefix, name)}
            value={values[name]}
            onChange={onChange}
            problem={problems.get(name)}
            isSuggested={isSuggested(recommendations, name, values[name])}
          />
        );
      })}
    </>
  );
}

type RowProps = Omit<FieldRowProps, 'onChange'> & Pick<FieldsViewProps, 'onChange'>;

/** Rendered again only after a change of this row: a form may have a hundred rows. */
function Row({ onChange, ...rest }: RowProps) {
  const { field, id, value, problem, isSuggested, strings, uploads } = rest;
  return useMemo(
    () => <FieldRow {...rest} onChange={(entered) => onChange(field.name, entered)} />,
    [field, id, value, problem, isSuggested, strings, uploads, onChange],
  );
}

/** True as long as the value is the recommended one. */
const isSuggested = (recommendations: Values, name: string, value: unknown): boolean =>
  Object.hasOwn(recommendations, name) && isSame(recommendations[name], value);

function DisplayField({ field }: { field: Field }) {
  if (field.type === 'divider') return <hr />;
  if (field.type !== 'heading' && field.type !== 'paragraph') return null;
  return <OwnText tag={field.type === 'heading' ? 'h3' : 'p'} class={field.type} text={field.text} />;
}
