package dev.trestle.sandbox;

import java.util.OptionalLong;

/**
 * A process of the cluster as it is found at one moment.
 *
 * @param index counts region servers from 1, and is 1 for every other role
 * @param port where clients and the other processes find it
 * @param pid absent when it does not run
 */
public record SandboxProcess(Role role, int index, int port, OptionalLong pid) {
    public boolean running() {
        return pid.isPresent();
    }

    public String name() {
        return name(role, index);
    }

    static String name(Role role, int index) {
        return role == Role.REGION_SERVER ? role.label() + "-" + index : role.label();
    }
}
