/** The part itself, with what each of its methods is asked written down. */
export function listenTo<Part extends object>(part: Part, asked: unknown[][]): Part {
  return new Proxy(part, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      return (...input: unknown[]): unknown => {
        asked.push(input);
        return Reflect.apply(member, target, input);
      };
    },
  });
}
