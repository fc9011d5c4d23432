export { RegistrationsError, type RegistrationsErrorKind, TooManyRegistrationsError } from "./errors.js";
export {
  memoryRegistrations,
  openRegistrations,
  type Registrations,
  type RegistrationsOptions,
} from "./registrations.js";
