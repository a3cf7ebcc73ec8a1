/** The settings that the commands use. */
export interface VoicesSettings {
  data: string;
  voices: string;
  voicesUrl: string;
}
