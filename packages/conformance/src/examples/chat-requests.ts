/** Every example of the page, as it stands there, and the answer the page gives for its type. */
export const chatRequestExamples = [
  {
    name: 'choice',
    request: {
      type: 'choice',
      title: 'How would you like to proceed?',
      body: 'Pick one of the options below.',
      config: {
        options: [
          {
            id: 'approve',
            label: 'Approve',
            variant: 'primary',
          },
          {
            id: 'reject',
            label: 'Reject',
            variant: 'danger',
          },
          {
            id: 'changes',
            label: 'Ask for changes',
          },
        ],
      },
    },
    resolution: {
      selectedOptionIds: ['approve'],
    },
  },
  {
    name: 'choice-multi',
    request: {
      type: 'choice',
      title: 'Which toppings?',
      config: {
        options: [
          {
            id: 'cheese',
            label: 'Cheese',
          },
          {
            id: 'pepperoni',
            label: 'Pepperoni',
          },
          {
            id: 'mushrooms',
            label: 'Mushrooms',
          },
        ],
        minSelections: 1,
        maxSelections: 3,
      },
    },
    resolution: {
      selectedOptionIds: ['cheese', 'mushrooms'],
    },
  },
  {
    name: 'text-input',
    request: {
      type: 'text_input',
      title: 'What is the project name?',
      config: {
        placeholder: 'Enter a name...',
      },
    },
    resolution: {
      text: "The user's response",
    },
  },
  {
    name: 'text-input-validation',
    request: {
      type: 'text_input',
      title: 'Enter a version number',
      config: {
        placeholder: 'e.g. 1.2.3',
        validation: {
          minLength: 1,
          maxLength: 20,
          pattern: '^\\d+\\.\\d+\\.\\d+$',
        },
      },
    },
    resolution: {
      text: '1.2.3',
    },
  },
  {
    name: 'form',
    request: {
      type: 'form',
      title: 'Deployment details',
      config: {
        fields: [
          {
            name: 'environment',
            label: 'Environment',
            type: 'select',
            options: ['staging', 'production'],
            required: true,
          },
          {
            name: 'version',
            label: 'Version',
            type: 'text',
            required: true,
          },
          {
            name: 'notes',
            label: 'Release notes',
            type: 'textarea',
          },
          {
            name: 'notify',
            label: 'Send notification',
            type: 'checkbox',
          },
        ],
        submitLabel: 'Deploy',
      },
    },
    resolution: {
      values: {
        environment: 'production',
        version: '1.2.3',
        notify: true,
      },
    },
  },
  {
    name: 'choice-trace',
    request: {
      type: 'choice',
      title: 'Approve deployment?',
      config: {
        options: [
          {
            id: 'yes',
            label: 'Yes',
          },
          {
            id: 'no',
            label: 'No',
          },
        ],
      },
      trace: {
        workflow: 'deploy',
        step: 3,
      },
    },
    resolution: {
      selectedOptionIds: ['yes'],
    },
  },
];
