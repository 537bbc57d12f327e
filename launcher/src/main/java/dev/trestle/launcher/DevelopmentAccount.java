package dev.trestle.launcher;

/** The development account, which a server has unless it is given others. The same in every emulator and SDK. */
public final class DevelopmentAccount {
    public static final String NAME = "devstoreaccount1";
    public static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private DevelopmentAccount() {}
}
