/**
 * Checks responses against a published OpenAPI description, as a client would that knows nothing else.
 * It shares no code with the project.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly schema: object }>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: object; readonly example?: unknown }>
  >;
}

/** The parts of an OpenAPI document that a check of responses needs. */
export interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly responses: Readonly<Record<string, ResponseObject>> } }
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: object }>>;
  };
}

/**
 * @returns a function from a path of the description and a response to the places where the response
 *   violates the description; none when it follows it
 */
export function createValidator(
  description: OpenApi,
): (path: string, response: Response) => Promise<string[]> {
  // Other tests hold the description to the rules of OpenAPI and JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...description, $id: "description" });
  const errorsOf = (pointer: readonly string[], value: unknown): string[] => {
    const path = pointer.map((one) => one.replaceAll("~", "~0").replaceAll("/", "~1"));
    const validate = ajv.getSchema(`description#/${path.map(encodeURIComponent).join("/")}`);
    if (validate === undefined) return [`no schema at ${pointer.join(" ")}`];
    // Compiled without asynchronous schemas, so it returns at once.
    void validate(value);
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const field: unknown = params["additionalProperty"];
      return `${instancePath} ${message}${field === undefined ? "" : `: ${String(field)}`}`;
    });
  };

  return async (path, response) => {
    const { responses } = description.paths[path]?.get ?? { responses: {} };
    const status = [
      String(response.status),
      `${Math.floor(response.status / 100)}XX`,
      "default",
    ].find((name) => name in responses);
    const described = status === undefined ? undefined : responses[status];
    if (status === undefined || described === undefined)
      return [`status ${response.status} is not described`];
    const place = ["paths", path, "get", "responses", status];
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    const { content } = described;
    if (content !== undefined && !(type in content))
      return [`content type ${type} is not described`];
    const body = await response.text();
    return [
      ...(content === undefined
        ? [...body].map(() => "a body is not described").slice(0, 1)
        : errorsOf([...place, "content", type, "schema"], JSON.parse(body))),
      ...Object.keys(described.headers ?? {}).flatMap((name) =>
        errorsOf([...place, "headers", name, "schema"], response.headers.get(name)).map(
          (error) => `${name}${error}`,
        ),
      ),
    ];
  };
}
